import type { VirtualSwitch } from '../host-driver.ts'

/**
 * What a switch is made of.
 *
 * - `bridge`     a bridge of this machine, through QEMU's helper, whose `bridge.conf` has to allow it
 * - `multicast`  a UDP group on the loopback interface: machines that have the same one reach each other and nothing
 *                else. Needs no rights, and keeps no secrets from other users of this machine.
 */
export type QemuNetwork =
  | { readonly kind: 'bridge'; readonly bridge: string }
  | { readonly kind: 'multicast'; readonly group: string; readonly port: number }

/** A switch that machines of plain QEMU can be plugged into. */
export interface QemuSwitch extends VirtualSwitch {
  readonly network: QemuNetwork
}
