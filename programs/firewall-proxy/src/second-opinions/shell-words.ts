/** Commands that do something by their bare names, or with words behind them; some are ordinary words, which are then not taken for such. */
const commands = new Set(
  (
    'arch at awk bash bg busybox call cat chgrp chmod chown chroot cmd command copy cp cron crontab csh curl cut dash date dd del dhclient ' +
    'dig dir disable dmesg docker doas echo enable env erase eval exec exit expr fdisk fg find format ftp gcc gdb git grep groups gzip halt ' +
    'head history host hostname id ifconfig init install ip ipconfig irb java jobs kill killall ksh last lastlog ldd less ln local logname ' +
    'logout logsave lp ls lscpu lsmod lsof lua mail make man mkdir mkfifo mkfs mknod more mount move mv nano nc ncat net netcat netstat nice ' +
    'nmap node nohup nslookup open passwd perl php ping pip pkill poweroff powershell printenv ps pwd python rcp rd read reboot reg rename ' +
    'replace reset restart rlogin rm rmdir route rsync ruby run sc scp screen script sed set setenv sftp sh shell shred shutdown sleep ' +
    'socat source ssh start stat stop strace su sudo sync systemctl systeminfo tac tail tar task tasklist taskkill tcsh tee telnet tftp time ' +
    'timeout top touch traceroute trap tree tty type umount uname uniq unlink unset unzip uptime useradd userdel users ver vi vim w ' +
    'wait watch wget where which while who whoami wmic write xargs xxd yes zip zsh'
  ).split(' '),
)

/** Commands that only tell something, and fail when they are given words. */
const questions = new Set('date find groups help history last top users where which who'.split(' '))

/**
 * Whether a shell that was given a text would begin with a command: at its start, or behind a mark that separates commands. The text
 * has neither redirections nor substitutions.
 */
export function startsCommands(text: string): boolean {
  return text.split(/[;&|\r\n]+/).some((part) => {
    const [first = '', ...others] = part.toLowerCase().match(/\p{L}+/gu) ?? []
    const isSentence = questions.has(first) && others.length >= 2
    return commands.has(first) && !isSentence
  })
}
