import type { Kind } from '../kinds/kind.ts'
import { service } from './service.ts'
import { serviceGroup } from './service-group.ts'
import { vsite } from './vsite.ts'

/** Every kind of configuration object that the firewall has. */
export const catalogue: readonly Kind[] = [service, serviceGroup, vsite]
