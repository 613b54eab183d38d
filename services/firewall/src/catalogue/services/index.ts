import type { Kind } from '../../kinds/kind.ts'
import { ruleGroup } from './rule-group.ts'
import { ruleGroupServer } from './rule-group-server.ts'
import { server } from './server.ts'
import { service } from './service.ts'
import { serviceGroup } from './service-group.ts'
import { vsite } from './vsite.ts'

export const servicesKinds: readonly Kind[] = [
  service,
  server,
  ruleGroup,
  ruleGroupServer,
  vsite,
  serviceGroup,
]
