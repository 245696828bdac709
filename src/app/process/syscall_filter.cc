#include "app/process/syscall_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <vector>

namespace bindery::app {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kArchitecture = 0;
#endif

/// Calls of the x32 ABI have this bit: the same calls under different numbers.
constexpr unsigned kOtherAbi = 0x40000000U;

/// Calls that a daemon with files and sockets never makes.
constexpr int kDenied[] = {
    // Other programs, and other processes.
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_setns,
    SYS_unshare,
    SYS_personality,
    // File systems.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_swapon,
    SYS_swapoff,
    SYS_quotactl,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_mknodat,
#ifdef SYS_mknod
    SYS_mknod,
#endif
    // The kernel and the machine.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_syslog,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
};

std::vector<sock_filter> Program() {
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offset)};
  };
  const sock_filter deny = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM};
  std::vector<sock_filter> program = {
      load(offsetof(seccomp_data, arch)),
      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture},
      deny,
      load(offsetof(seccomp_data, nr)),
  };
#if defined(__x86_64__)
  program.push_back({BPF_JMP | BPF_JGE | BPF_K, 0, 1, kOtherAbi});
  program.push_back(deny);
#endif
  for (const int call : kDenied) {
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(call)});
    program.push_back(deny);
  }
  program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  return program;
}

}  // namespace

std::string DenySystemCalls() {
  if (kArchitecture == 0) return "not for this processor";
  std::vector<sock_filter> program = Program();
  const sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0) return {};
  return std::generic_category().message(errno);
}

}  // namespace bindery::app
