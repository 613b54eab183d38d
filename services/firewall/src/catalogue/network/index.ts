import type { Kind } from '../../kinds/kind.ts'
import { autoSystemAcl } from './auto-system-acl.ts'
import { bond } from './bond.ts'
import { destinationNat } from './destination-nat.ts'
import { interfaceRoute } from './interface-route.ts'
import { networkAcl } from './network-acl.ts'
import { networkInterface } from './network-interface.ts'
import { networkVlan } from './network-vlan.ts'
import { sourceNat } from './source-nat.ts'
import { staticRoute } from './static-route.ts'
import { virtualInterface } from './virtual-interface.ts'

/** Interfaces, routes, address translation and network access lists of the machine. */
export const networkKinds: readonly Kind[] = [
  networkInterface,
  networkVlan,
  bond,
  virtualInterface,
  staticRoute,
  interfaceRoute,
  sourceNat,
  destinationNat,
  networkAcl,
  autoSystemAcl,
]
