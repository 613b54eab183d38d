#!/bin/sh
# Installs the Palisade backup agent as a service of systemd. May be run again: to upgrade, or to change the settings that
# are given; settings that are not given stay. Nothing is changed before everything has been checked.
set -eu

prefix=/opt/palisade
# Where the package of Debian has the program.
packaged=/usr/lib/palisade
configuration=/etc/palisade
unit=/etc/systemd/system/palisade-agent.service
state=/var/lib/palisade-agent

usage() {
    cat <<END
Usage: palisade agent install --server URL --account A --computer C --key-file FILE [options]
       palisade agent install --uninstall [--purge]

  --server URL      the backup service, such as https://backup.example.org:8444/backup; may be repeated, to name the
                    servers of one installation. All but the first are added to the options
  --account A       the account that the computer belongs to
  --computer C      the computer's id
  --key-file FILE   a file that holds the enrolment key; it is copied, readable by root only
  --restore-to PLACE  a folder, or //server/share, that restores may write to; may be repeated (default: only
                    /var/lib/palisade-agent/restores). It is added to the options, without spaces
  --options TEXT    further flags of the agent, such as "--bandwidth 20M --exclude /dev/sdb*"
  --package DIR     the program: the installed package, or this repository after npm start or npm run build
                    (default: the one that this script lies in)
  --node FILE       the Node.js to run it with, 24 or newer (default: the one that was installed with the
                    program, else the one in the path)
  --root DIR        install below this folder instead of /, and start nothing (for images and tests)
  --no-start        enable the service, and do not start it
  --wait SECONDS    how long to wait for the enrolment (default: 60)
  --uninstall       stop and remove the service and the program; settings and state stay
  --purge           with --uninstall: remove settings and state as well. The computer must then enrol again

Settings of an earlier installation are kept in /etc/palisade/agent.conf.
END
}

fail() {
    printf 'palisade agent install: %s\n' "$1" >&2
    exit 1
}

server='' servers='' account='' computer='' key_file='' options='' restore_to='' package='' node='' root=''
wait=60
options_given=no start=yes uninstall=no purge=no
while [ $# -gt 0 ]; do
    case $1 in
    --server | --account | --computer | --key-file | --options | --restore-to | --package | --node | --root | --wait)
        [ $# -ge 2 ] || fail "$1 needs a value"
        case $1 in
        --server)
            case $2 in
            *[[:space:]]* | '') fail '--server must be an address, without spaces' ;;
            https://* | http://*) ;;
            *) fail '--server must begin with https:// or http://' ;;
            esac
            if [ -z "$server" ]; then server=$2; else servers="$servers --server $2"; fi
            ;;
        --account) account=$2 ;;
        --computer) computer=$2 ;;
        --key-file) key_file=$2 ;;
        --options) options=$2 options_given=yes ;;
        --restore-to)
            case $2 in
            *[[:space:]]* | '') fail '--restore-to must be a folder or a share, without spaces' ;;
            /*) restore_to="$restore_to --restore-to $2" ;;
            *) fail '--restore-to must begin with / or //' ;;
            esac
            ;;
        --package) package=$2 ;;
        --node) node=$2 ;;
        --root) root=${2%/} ;;
        --wait)
            case $2 in
            *[!0-9]* | '') fail '--wait must be a number of seconds' ;;
            esac
            wait=$2
            ;;
        esac
        shift
        ;;
    --no-start) start=no ;;
    --uninstall) uninstall=yes ;;
    --purge) purge=yes ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        fail "unknown option $1"
        ;;
    esac
    shift
done

[ -n "$root" ] || [ "$(id -u)" -eq 0 ] || fail 'must be run as root'

# Runs systemctl, unless the installation is for another root.
control() {
    [ -z "$root" ] || return 0
    systemctl "$@"
}

if [ "$uninstall" = yes ]; then
    if [ -e "$root$unit" ]; then
        control disable --now palisade-agent.service
        rm -f "$root$unit"
        control daemon-reload
    elif [ -z "$root" ] && [ -d "$packaged" ]; then
        control disable --now palisade-agent.service
        prefix=$packaged
    fi
    # Copies of images that the agent keeps lie beside these: nobody would find them later.
    if [ -z "$root" ] && [ -d "$state/kept" ] && [ -x "$prefix/bin/palisade" ]; then
        "$prefix/bin/palisade" agent --remove-copies --state "$state" ||
            printf 'Some copies of images are left; see .palisade-agent beside the images.\n' >&2
    fi
    # A package of Debian is removed by apt.
    [ "$prefix" = "$packaged" ] || rm -rf "$root$prefix"
    if [ "$purge" = yes ]; then
        # A server of this computer has its configuration beside them.
        rm -f "$root$configuration/agent.conf" "$root$configuration/enrolment.key"
        rmdir "$root$configuration" 2>/dev/null || true
        rm -rf "$root$state"
    fi
    printf 'The agent is removed.\n'
    exit 0
fi

# Copies the program and its unit. The new program lies beside the old one until it is complete.
install_program() {
    mkdir -p "$root$prefix" "$root$(dirname "$unit")"
    rm -rf "$root$prefix/new"
    mkdir "$root$prefix/new"
    for part in package.json LICENSE bin bundle deploy dist node_modules libraries services programs; do
        [ ! -e "$package/$part" ] || cp -RP "$package/$part" "$root$prefix/new/"
    done
    chown -R "$(id -u):$(id -g)" "$root$prefix/new"
    rm -rf "$root$prefix/old"
    [ ! -e "$root$prefix/program" ] || mv "$root$prefix/program" "$root$prefix/old"
    mv "$root$prefix/new" "$root$prefix/program"
    rm -rf "$root$prefix/old"
    mkdir -p "$root$prefix/bin"
    cat >"$root$prefix/bin/palisade" <<END
#!/bin/sh
exec "$node" "$prefix/program/$entry" "\$@"
END
    chmod 755 "$root$prefix/bin/palisade"
    cp "$here/palisade-agent.service" "$root$unit"
    chmod 644 "$root$unit"
}

# What an earlier installation was told, as `NAME="value"`.
earlier() {
    [ -r "$root$configuration/agent.conf" ] || return 0
    sed -n "s/^$1=\"\\(.*\\)\"\$/\\1/p" "$root$configuration/agent.conf"
}

[ "$options_given" = yes ] || options=$(earlier PALISADE_OPTIONS)
# The servers that are given are all that there are.
if [ -n "$server" ] && [ "$options_given" = no ]; then
    options=$(printf ' %s' "$options" | sed 's/ --server [^ ]*//g')
fi
options=${options# }
for more in "$servers" "$restore_to"; do
    case " $options " in
    *"$more "*) ;;
    *) options="${options:+$options }${more# }" ;;
    esac
done
server=${server:-$(earlier PALISADE_SERVER)}
account=${account:-$(earlier PALISADE_ACCOUNT)}
computer=${computer:-$(earlier PALISADE_COMPUTER)}

[ -n "$server" ] || fail '--server is missing'
[ -n "$account" ] || fail '--account is missing'
[ -n "$computer" ] || fail '--computer is missing'
# These would end the value in the settings, or mean something to systemd.
case "$server$account$computer$options" in
*[\"\\\`\$]* | *"
"*) fail 'settings must not contain quotation marks, backslashes, backquotes, dollar signs or line breaks' ;;
esac
if [ -n "$key_file" ]; then
    [ -r "$key_file" ] || fail "$key_file cannot be read"
    [ -s "$key_file" ] || fail "$key_file is empty"
elif [ ! -e "$root$configuration/enrolment.key" ]; then
    fail '--key-file is missing'
fi

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$package" ]; then
    package=$(dirname "$here")
    case $package in
    # What the package needs lies beside it, where npm has not put it into the package.
    */node_modules/palisade) [ -d "$package/node_modules" ] || package=${package%/node_modules/palisade} ;;
    */programs/palisade) package=${package%/programs/palisade} ;;
    esac
fi
entry=''
for candidate in bin/palisade.js programs/palisade/bin/palisade.js node_modules/palisade/bin/palisade.js; do
    if [ -z "$entry" ] && [ -e "$package/$candidate" ]; then entry=$candidate; fi
done
[ -n "$entry" ] || fail "$package holds no program (no bin/palisade.js); name its folder with --package"
[ -r "$here/palisade-agent.service" ] || fail "palisade-agent.service must lie beside this script"

case $(uname -m) in
x86_64) machine=linux-x64 ;;
aarch64) machine=linux-arm64 ;;
*) machine=other ;;
esac
# Where the one of the package will be.
installed_node=''
for brought in "node_modules/node-$machine/bin/node" node_modules/node/bin/node; do
    if [ -z "$node" ] && [ -x "$package/$brought" ]; then
        node=$package/$brought installed_node=$prefix/program/$brought
    fi
done
node=${node:-$(command -v node || true)}
[ -x "$node" ] || fail 'there is no Node.js; install version 24 or newer, or name it with --node'
version=$("$node" --version)
major=${version#v}
major=${major%%.*}
[ "$major" -ge 24 ] || fail "Node.js $version is too old; version 24 or newer is needed"
# The service starts it from another folder than this one.
node=${installed_node:-$(cd "$(dirname "$node")" && pwd)/$(basename "$node")}
[ -n "$root" ] || command -v systemctl >/dev/null || fail 'this system has no systemd'

mkdir -p "$root$configuration"
if [ "$package" = "$packaged" ]; then
    [ ! -e "$root$unit" ] || fail "an installation in $prefix is in use; remove it first: palisade agent install --uninstall"
else
    install_program
fi

if [ -n "$key_file" ]; then
    (umask 077 && cat "$key_file" >"$root$configuration/enrolment.key.new")
    mv "$root$configuration/enrolment.key.new" "$root$configuration/enrolment.key"
fi
(
    umask 077
    cat >"$root$configuration/agent.conf.new" <<END
# Settings of palisade-agent.service. After a change: systemctl restart palisade-agent
PALISADE_SERVER="$server"
PALISADE_ACCOUNT="$account"
PALISADE_COMPUTER="$computer"
PALISADE_KEY_FILE="$configuration/enrolment.key"
PALISADE_OPTIONS="$options"
END
)
mv "$root$configuration/agent.conf.new" "$root$configuration/agent.conf"
case " $options " in
*' --restore-to '*) ;;
*) printf 'Restores may go to %s/restores only; allow other folders or shares with --restore-to.\n' "$state" ;;
esac

control daemon-reload
control enable palisade-agent.service
if [ "$start" = no ] || [ -n "$root" ]; then
    printf 'The agent is installed; start it with: systemctl start palisade-agent\n'
    exit 0
fi

began=$(date +%s)
control restart palisade-agent.service
# What the agent says of itself since then.
said() { journalctl --unit palisade-agent --since "@$began" --output cat --quiet; }
while ! said | grep -q '"msg":"connected"'; do
    if [ $(($(date +%s) - began)) -ge "$wait" ]; then
        said | tail -n 3 >&2
        fail "the agent is installed and started, and is not connected to $server yet; it tries again by itself"
    fi
    sleep 1
done
printf 'The agent is installed, and connected to %s as computer %s of %s; see: journalctl -u palisade-agent\n' \
    "$server" "$computer" "$account"
