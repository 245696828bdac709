// The network extension.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalNetwork, AddressesHaveOneForm) {
  Check({
      {"ip('192.168.0.1')", "ip(\"192.168.0.1\")"},
      {"ip('2001:DB8:0:0::1')", "ip(\"2001:db8::1\")"},
      {"string(ip('1:0:0:2:0:0:0:3'))", "\"1:0:0:2::3\""},
      {"string(ip('1:0:2:3:4:5:6:7'))", "\"1:0:2:3:4:5:6:7\""},
      {"string(ip('::'))", "\"::\""},
      {"string(ip('1::'))", "\"1::\""},
      {"string(ip('::1:2'))", "\"::1:2\""},
      {"ip('::ffff:c0a8:1') == ip('192.168.0.1')", "true"},
      {"type(ip('::1')) == net.IP && type(cidr('::/0')) == net.CIDR", "true"},
      {"ip.isCanonical('2001:DB8::68') || !ip.isCanonical('2001:db8::68')", "false"},
      {"'%s in %s'.format([ip('1.2.3.4'), cidr('1.2.3.0/24')])", "\"1.2.3.4 in 1.2.3.0/24\""},
  });
  for (const char* bad : {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", ":::", "1::2::3",
                          "fe80::1%eth0", "::ffff:1.2.3.4", "g::", "1.2.3.4 "}) {
    Check({{("isIP('" + std::string(bad) + "')").c_str(), "false"}});
  }
}

TEST(EvalNetwork, AddressesTellWhatTheyAreFor) {
  Check({
      {"ip('1.2.3.4').family() == 4 && ip('::1').family() == 6", "true"},
      {"['0.0.0.0', '::'].all(a, ip(a).isUnspecified())", "true"},
      {"['127.9.9.9', '::1'].all(a, ip(a).isLoopback())", "true"},
      {"['224.0.0.9', 'ff12::1'].all(a, ip(a).isLinkLocalMulticast())", "true"},
      {"['169.254.1.1', 'febf::1'].all(a, ip(a).isLinkLocalUnicast())", "true"},
      {"['10.0.0.1', 'fd00::1'].all(a, ip(a).isGlobalUnicast())", "true"},
      {"['255.255.255.255', 'ff00::1', '::1'].exists(a, ip(a).isGlobalUnicast())", "false"},
  });
}

TEST(EvalNetwork, RangesHoldWhatAgreesInTheirBits) {
  Check({
      {"cidr('10.1.0.0/15').containsIP('10.0.255.255')", "true"},
      {"cidr('10.1.0.0/16').containsIP(ip('10.0.255.255'))", "false"},
      {"cidr('::/0').containsIP('1.2.3.4')", "false"},
      {"cidr('0.0.0.0/0').containsCIDR('10.0.0.0/8')", "true"},
      {"cidr('10.0.0.0/8').containsCIDR(cidr('0.0.0.0/0'))", "false"},
      {"cidr('2001:db8:ffff::1/33').masked()", "cidr(\"2001:db8:8000::/33\")"},
      {"cidr('1.2.3.4/24').ip()", "ip(\"1.2.3.4\")"},
      {"cidr('1.2.3.4/24').prefixLength()", "24"},
      {"cidr('1.2.3.4/24') == cidr('1.2.3.0/24')", "false"},
      {"['1.2.3.4', '1.2.3.4/', '1.2.3.4/33', '1.2.3.4/-1', '1.2.3.4/08', '::ffff:102:304/120',"
       " '1.2.3.4/8/8'].exists(a, isCIDR(a))",
       "false"},
      {"cidr('x/8')", "error: network address parse error"},
      {"cidr('::/0').containsIP('x')", "error: IP Address 'x' parse error"},
      {"ip('::1') < ip('::2')", "error: no such overload"},
  });
}

}  // namespace
}  // namespace bindery::cel
