#!/bin/busybox sh
# What the test guest does: says on its serial line what it finds, one "PALISADE name=value" a line, pings everybody on
# its network until it is stopped, and shuts down when its power button is pressed. Told of another volume with a system
# (palisade_root=UUID, which the kernel hands on), it does all of that there.
/bin/busybox mkdir -p /proc /sys /dev /etc/acpi/PWRF /var/log /var/run
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev

while read -r module; do insmod "/modules/$module.ko"; done </modules/order

if [ -n "$palisade_root" ]; then
  echo "PALISADE initial=yes"
  mkdir -p /root
  tries=0
  until device=$(findfs "UUID=$palisade_root" 2>/dev/null) && [ -n "$device" ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "PALISADE root=missing"; poweroff -f; }
    usleep 100000
  done
  mount -t ext4 "$device" /root || { echo "PALISADE root=unreadable"; poweroff -f; }
  umount /proc /sys /dev
  unset palisade_root
  exec switch_root /root /init
fi

say() { echo "PALISADE $*"; }

printf '#!/bin/sh\necho "PALISADE shutdown=asked"\npoweroff -f\n' >/etc/acpi/PWRF/00000080
chmod +x /etc/acpi/PWRF/00000080
acpid -f -d &

tries=0
while [ ! -b /dev/sda ] && [ $tries -lt 100 ]; do usleep 100000; tries=$((tries + 1)); done
usleep 300000

say "id=$(tr A-F a-f </sys/class/dmi/id/product_uuid)"
[ -f /etc/palisade-root ] && say "root=$(cat /etc/palisade-root)"
say "cores=$(grep -c ^processor /proc/cpuinfo)"
say "memory=$(awk '/MemTotal/ { print int($2 / 1024) }' /proc/meminfo)"
if [ -d /sys/firmware/efi ]; then say firmware=uefi; else say firmware=bios; fi
# Linux names disks in the order in which they answer; their addresses are in the order in which they are plugged in.
# What is read is the sector before the first partition, which belongs to nobody.
disks=$(for disk in /sys/block/sd?; do echo "$(basename "$(readlink -f "$disk/device")") ${disk##*/}"; done | sort -V)
say "disks=$(echo "$disks" | while read -r _ disk; do dd if="/dev/$disk" bs=512 skip=2047 count=1 2>/dev/null | tr '\0' '\n' | head -n 1; done | tr '\n' ';')"
say "cards=$(ls /sys/class/net | grep -v -x lo | tr '\n' ' ')"

if [ -d /sys/class/net/eth0 ]; then
  echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_dad
  ip link set eth0 up
  until address=$(ip -6 addr show dev eth0 | sed -n 's/.*inet6 \([^/]*\).*/\1/p') && [ -n "$address" ]; do usleep 200000; done
  say "address=$address"
  (while :; do
    ping6 -c 2 -W 1 -I eth0 ff02::1 2>/dev/null | sed -n 's/.*from \([0-9a-f:]*\)[:%].*/PALISADE heard=\1/p'
    sleep 1
  done) &
fi
say up=yes
while :; do sleep 60; done
