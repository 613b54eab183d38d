#!/bin/busybox sh
# What the test guest does: says on its serial line what it finds, one "PALISADE name=value" a line, pings everybody on
# its network until it is stopped, and shuts down when its power button is pressed.
/bin/busybox mkdir -p /proc /sys /dev /etc/acpi/PWRF /var/log /var/run
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev

while read -r module; do insmod "/modules/$module.ko"; done </modules/order

say() { echo "PALISADE $*"; }

printf '#!/bin/sh\necho "PALISADE shutdown=asked"\npoweroff -f\n' >/etc/acpi/PWRF/00000080
chmod +x /etc/acpi/PWRF/00000080
acpid -f -d &

tries=0
while [ ! -b /dev/sda ] && [ $tries -lt 100 ]; do usleep 100000; tries=$((tries + 1)); done
usleep 300000

say "id=$(tr A-F a-f </sys/class/dmi/id/product_uuid)"
say "cores=$(grep -c ^processor /proc/cpuinfo)"
say "memory=$(awk '/MemTotal/ { print int($2 / 1024) }' /proc/meminfo)"
if [ -d /sys/firmware/efi ]; then say firmware=uefi; else say firmware=bios; fi
for disk in /dev/sd?; do
  # The sector before the first partition, which belongs to nobody.
  say "${disk##*/}=$(dd if="$disk" bs=512 skip=2047 count=1 2>/dev/null | tr -d '\0')"
done
say "cards=$(ls /sys/class/net | grep -v -x lo | tr '\n' ' ')"

if [ -d /sys/class/net/eth0 ]; then
  echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_dad
  ip link set eth0 up
  usleep 500000
  say "address=$(ip -6 addr show dev eth0 | sed -n 's/.*inet6 \([^/]*\).*/\1/p')"
  (while :; do
    ping6 -c 2 -W 1 -I eth0 ff02::1 2>/dev/null | sed -n 's/.*from \([0-9a-f:]*\)[:%].*/PALISADE heard=\1/p'
    sleep 1
  done) &
fi
say up=yes
while :; do sleep 60; done
