import type { Kind } from '../../kinds/kind.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { ruleGroupServer } from '../content-rules/rule-group-server.ts'
import { server } from '../servers/server.ts'
import { service } from './service.ts'
import { serviceGroup } from './service-group.ts'
import { vsite } from './vsite.ts'

/** Services, what lies inside them, and the vsites and groups that they stand in. */
export const servicesKinds: readonly Kind[] = [
  service,
  server,
  ruleGroup,
  ruleGroupServer,
  vsite,
  serviceGroup,
]
