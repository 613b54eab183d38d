/**
 * A network device of the kernel (TAP) in a bridge, for one machine: QEMU gets it open, and needs no helper with rights of root. It is
 * gone when QEMU is.
 * (Linux, "Universal TUN/TAP device driver")
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { linuxFileCalls } from '../../system-calls/linux-files.ts'
import { HostFailure } from '../failure.ts'
import { runBounded } from '../run-bounded.ts'

const { O_NONBLOCK, O_RDWR } = constants
/** `TUNSETIFF`, and of its flags `IFF_TAP` and `IFF_NO_PI`. */
const setInterface = 0x400454ca
const tapWithoutHeader = 0x1002
const interfaceRequestBytes = 40
const nameBytesMaximum = 16
const ipTimeoutMs = 10_000

/**
 * Makes a device and puts it into a bridge.
 *
 * @returns the device, open
 * @throws HostFailure when the system does not let this process do that, or there is no such bridge
 */
export async function openTap(bridge: string): Promise<FileHandle> {
  const calls = await linuxFileCalls()
  if (calls === undefined)
    throw failure(`machines cannot be plugged into the bridge ${bridge} on this system`)
  const device = await open('/dev/net/tun', O_RDWR | O_NONBLOCK)
  try {
    const request = Buffer.alloc(interfaceRequestBytes)
    // The kernel puts a number in the place of the %d.
    request.write('palisade%d', 'latin1')
    request.writeUInt16LE(tapWithoutHeader, nameBytesMaximum)
    const refused = calls.control(device.fd, setInterface, request)
    if (refused !== undefined) throw failure(`the system makes no network device (errno ${refused.errno})`)
    const name = request.toString('latin1', 0, request.indexOf(0))
    const plugged = await runBounded('ip', ['link', 'set', 'dev', name, 'master', bridge, 'up'], {
      timeoutMs: ipTimeoutMs,
    })
    if (plugged.status === 0) return device
    throw failure(`the bridge ${bridge} takes no machine: ${plugged.stderr.trim()}`)
  } catch (error) {
    await device.close()
    throw error
  }
}

function failure(message: string): HostFailure {
  return new HostFailure({ code: 'host-error' }, message)
}
