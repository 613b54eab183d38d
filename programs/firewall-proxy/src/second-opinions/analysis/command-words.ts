/** Commands of Unix shells, of Windows and of its PowerShell, and programs that are started for what they do to a system. */
export const commands: ReadonlySet<string> = new Set(
  (
    'export getent sysinfo alias apache apt apt-get aptitude ar arch aria arp ash at awk base bash bashbug bg bundle busybox bzip bzcat c99 call cat cc certutil chattr ' +
    'chgrp chmod chown chroot clang cmd command composer copy cp cpan crontab cscript csh curl cut dash date dd del dhclient dig dir ' +
    'disable dmesg docker doas dpkg dscl ed egrep echo emacs enable env eval ex exec exit expand expr fdisk fetch fg fgrep file find findstr finger ' +
    'fish format forfiles ftp ftpstats gawk gcc gdb gem gimp git go grep groups gunzip gzip gz halt hash head history host hostname hping hexdump ' +
    'htpasswd iconv id iex ifconfig init install invoke ip ipconfig irb irm iwr java jobs jq jrunscript js kill killall ksh last lastlog ldconfig ldd ' +
    'less ln local logname logout logsave look lp ls lsattr lscpu lsmod lsof lua lwp-request lwp-download lynx mail mailx make man mawk md ' +
    'mdfind mkdir mkfifo mkfs mknod more mount move mshta msbuild mv mysql mysqldump nano nasm nawk nc ncat net netcat netsh netstat nice nl nmap ' +
    'node nohup nping nroff nslookup od open openssl osascript pacman passwd patch pdksh perl perms php pico pidof ping pip pkexec pkg pkill ' +
    'poweroff powershell pr printenv printf ps psed psql ptar pushd popd pwd pwsh py python rar ras rcp rd read readarray readelf reboot reg regsvr ' +
    'rename replace reset restart rev rlogin rm rmdir route rpm rsh rsync ruby run rundll runas rvim sash sc schtasks scp screen script sed ' +
    'sendmail service set setenv setfacl sftp sh sha shell shred shuf shutdown sleep snap socat sort source split sqlite ss ssh start stat ' +
    'stop strace strings stty su sudo svn sync systemctl systeminfo tac tail tar task tasklist taskkill tclsh tcsh tee telnet test tftp time ' +
    'timeout top touch traceroute tracert trap tree tty type typeset ulimit umask umount unalias uname uncompress uniq unlink unlzma unset ' +
    'unxz unzip uptime useradd userdel usermod users uudecode ver vi view vim vol w wait watch wc wget whatis where whereis which while who whoami ' +
    'wmic write wscript xargs xcopy xxd xz yes yum zcat zip zless zmore zsh nsenter gobuster mkpasswd perldoc tshark tcpdump whodo wall sl dotnet ' +
    'bitsadmin attrib assoc cacls icacls cipher chkdsk diskpart fsutil getmac gpresult hostname label nbtstat net1 pathping pause powercfg ' +
    'query quser qwinsta recover robocopy sfc subst takeown tasklist title vssadmin wevtutil whoami winrm winrs cls ' +
    'addgroup adduser groupadd chage chpasswd lsb_release ionice setarch taskset stdbuf unshare xmllint zypper dnf apk brew npm npx yarn deno bun'
  ).split(' '),
)

/** Of these, words of English with which sentences begin. */
export const ordinaryWords: ReadonlySet<string> = new Set(
  (
    'at base call command cut date disable enable exit expand file find finger format go groups halt hash head history host install invoke jobs label ' +
    'last less local look mail make man more mount move net nice open pause perms ping query read recover rename replace reset restart route run ' +
    'screen script service set shell sleep snap sort source split start stop strings sync task test time title top touch trap tree type ' +
    'view vol wait watch where which while who write yes fetch patch copy'
  ).split(' '),
)

/** Of these, those that do nothing and tell nothing when nothing is behind them. */
export const idleWords: ReadonlySet<string> = new Set(
  'more less sort cut split test wait look copy fetch patch format'.split(' '),
)

/** Of these, what Windows has: it does not tell capitals from small letters. Unix does, and has no command with a capital. */
export const windowsCommands: ReadonlySet<string> = new Set(
  (
    'arp assoc at attrib bash bitsadmin cacls call cd certutil chdir chkdsk cipher cls cmd copy cscript curl date del dir diskpart echo erase exit expand fc find ' +
    'findstr finger for forfiles format fsutil ftp getmac goto gpresult hostname icacls iex iisreset invoke ipconfig irm iwr jobs label logoff md mkdir more mount move mshta ' +
    'msbuild mysql mysqldump nbtstat net net1 netsh netstat node npm nslookup open pathping pause perl php ping popd powercfg powershell print prompt pushd pwsh py ' +
    'python query quser qwinsta rd recover reg regsvr ren rename replace reset rmdir robocopy route ruby rundll runas sc schtasks set sfc shutdown sleep sort ssh start subst ' +
    'systeminfo takeown tar task taskkill tasklist telnet tftp time timeout title tracert tree type ver vol vssadmin wevtutil wget where whoami winrm winrs wmic ' +
    'write wscript xcopy wait sqlcmd bcp nmap ncat nc ls cat cp mv rm ps kill pwd rmdir tee select host history fetch'
  ).split(' '),
)
