#pragma once

#include <string_view>

namespace bindery::report {

/// The style sheet of the HTML report: light, dark, narrow and printed.
inline constexpr std::string_view kDriftStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--muted:#59636e;--line:#d1d9e0;--soft:#f4f6f8;
--critical:#b3122a;--high:#b04500;--medium:#7a5b00;--low:#57606a;--good:#1a7435}
@media (prefers-color-scheme:dark){:root{--bg:#0f1318;--fg:#e6eaef;--muted:#9aa5b1;--line:#343b44;
--soft:#1a2028;--critical:#ff8a95;--high:#ffa657;--medium:#e3c05b;--low:#9aa5b1;--good:#5cc47c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:96rem;padding:1.5rem;background:var(--bg);color:var(--fg);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .6rem}
p{margin:.35rem 0}.meta{color:var(--muted)}.lead{font-size:1.1rem;font-weight:600}
.good{color:var(--good)}.bad{color:var(--critical)}
dl{display:grid;grid-template-columns:repeat(4,1fr);gap:.6rem;margin:1rem 0}
dl div{border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem;background:var(--soft)}
dt{color:var(--muted);font-size:.85rem}dd{margin:0;font-size:1.3rem;font-weight:600}
table{width:100%;border-collapse:collapse;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem .4rem 0;overflow-wrap:anywhere}
thead th{color:var(--muted);font-size:.85rem;border-bottom:2px solid var(--line)}
td{border-bottom:1px solid var(--line)}
tbody th{padding-top:1.1rem;border-bottom:1px solid var(--line)}
small,.meta{font-size:.85rem}small{color:var(--muted);font-weight:400;display:block}
.items col:nth-child(1){width:5.2rem}.items col:nth-child(2){width:11rem}
.items col:nth-child(3){width:21%}.items col:nth-child(6){width:10.6rem}
.rest col:nth-child(1){width:18%}.rest col:nth-child(2){width:32%}.rest col:last-child{width:14%}
time{white-space:nowrap}
.critical,.high,.medium,.low{font-weight:600}.critical{color:var(--critical)}.high{color:var(--high)}
.medium{color:var(--medium)}.low{color:var(--low)}
.new{border:1px solid;border-radius:.6rem;padding:0 .4rem;font-size:.8rem;white-space:nowrap}
@media (max-width:56rem){body{padding:.9rem}dl{grid-template-columns:repeat(2,1fr)}table,tbody,tr,th,td{display:block}colgroup{display:none}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
td{border:0;padding:.1rem 0 .1rem 7rem;min-height:1.45em;position:relative}
td::before{content:attr(data-label);position:absolute;left:0;color:var(--muted);font-size:.85rem}
tbody th{border:0;padding-top:.6rem}tr{border-bottom:1px solid var(--line);padding:.5rem 0}}
@page{size:A4 landscape;margin:12mm}
@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--muted:#444;--line:#bbb;--soft:#fff;
--critical:#8f0018;--high:#8a3600;--medium:#5f4700;--low:#444;--good:#0b5a24}
html{font-size:9pt}body{font-size:1rem;max-width:none;padding:0}tr,dl div{break-inside:avoid}h2,tbody th{break-after:avoid}}
)css";

}  // namespace bindery::report
