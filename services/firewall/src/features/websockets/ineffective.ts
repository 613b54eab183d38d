import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { compileJsonProfiles } from '../json-profiles/compile.ts'
import { clientConnections } from '../services/clients.ts'
import { messageReader, messageSwitch, webSocketPolicyReader } from './compile.ts'
import { websocketPolicy } from './fields.ts'

/** What the policies for WebSockets of a service do not do although they are switched on: sentences. */
export function ineffectiveWebSocketPolicies(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const policies = childrenOf(service, websocketPolicy.name).filter(
    (object) => webSocketPolicyReader.of(object) !== undefined,
  )
  if (policies.length === 0) return []
  if (!clientConnections.of(service).allowsWebSockets) {
    return [
      'The websocket-policies have nothing to look at: enable-websocket of advanced-configuration is No.',
    ]
  }
  if (compileJsonProfiles(service, undefined, snapshot) !== undefined) return []
  return policies
    .filter((object) => messageSwitch.of(object).isOn && messageReader.of(object).checksJson)
    .map(
      ({ name }) =>
        `The enforce-json-check of websocket-policies ${name} checks nothing: there are no json-profiles.`,
    )
}
