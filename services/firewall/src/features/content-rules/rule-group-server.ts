import type { Kind } from '../../kinds/kind.ts'
import { outOfBandHealthChecksOfContentRule } from '../server-health/fields.ts'
import { sslPolicyOfContentRule } from '../server-tls/fields.ts'
import { server } from '../servers/server.ts'

/** As a server of the service, but for the requests that its content rule is about. */
export const ruleGroupServer = {
  name: 'rule-group-server',
  title: 'Rule Group Server',
  description: 'A machine that answers the requests which a content rule sorts out.',
  path: 'content-rule-servers',
  parent: 'rule-group',
  identifiedBy: 'name',
  shownInParent: true,
  operational: true,
  emptyGroups: ['Redirect'],
  fields: server.fields,
  sections: {
    ...server.sections,
    'out-of-band-health-checks': outOfBandHealthChecksOfContentRule,
    'ssl-policy': sslPolicyOfContentRule,
  },
} as const satisfies Kind
