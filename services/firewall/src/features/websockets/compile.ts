import type { SnapshotWebSocketPolicy } from '@palisade/proxy-protocol'
import { byName, isNotOff, isOn, isPassive, number, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { everywhere, inOrder, placeMembers } from '../places/compile.ts'
import { websocketPolicy } from './fields.ts'

/** Which WebSockets are looked at; undefined where the policy is switched off. */
export const webSocketPolicyReader = whenOn(
  fieldReader(websocketPolicy, {
    isOn: ['status', isNotOff],
    host: placeMembers.host,
    url: placeMembers.url,
    isPassive: ['mode', isPassive],
  }),
)

/** Which pages may open a WebSocket. */
export const originReader = sectionReader(websocketPolicy, 'origin-protection', {
  /** As browsers write them, such as `https://www.example.com`, in lower case; `*` stands for any characters. Any when empty. */
  origins: ['allow-origins', originsIn],
})

/** What frames and messages may be like, in both directions. */
export const frameReader = sectionReader(websocketPolicy, 'protocol-security', {
  /** Frames of one message; 0 for any number. */
  framesMax: ['max-frame-per-frag-message', number],
  /** Of the payload of one frame; 0 for any size. */
  frameBytesMax: ['max-frame-size', number],
  /** Which messages there may be. */
  payload: ['payload-format', byName({ Binary: 'binary', Text: 'text' }, 'any')],
})

/** Whether the messages of clients are looked at. */
export const messageSwitch = sectionReader(websocketPolicy, 'message-security', {
  isOn: ['enable-message-security', isOn],
})

/** What is looked for in the messages of clients. */
export const messageReader = sectionReader(websocketPolicy, 'message-security', {
  /** Whether the JSON profiles for the address of the WebSocket count for its messages. */
  checksJson: ['enforce-json-check', isOn],
  /** Whether messages have to be JSON. */
  isJson: [
    'message-format',
    Object.assign((value: Value | undefined) => value === 'JSON', { enforced: ['JSON'] }),
  ],
})

/** The policies for the WebSockets of a service that are switched on; undefined when there are none. */
export function compileWebSocketPolicies(
  service: ConfigurationObject,
): readonly SnapshotWebSocketPolicy[] | undefined {
  const policies = childrenOf(service, websocketPolicy.name).flatMap((object) => {
    const place = webSocketPolicyReader.of(object)
    return place === undefined ? [] : policyOf(object, place)
  })
  return policies.length === 0 ? undefined : inOrder(policies)
}

function policyOf(
  object: ConfigurationObject,
  own: NonNullable<ReturnType<typeof webSocketPolicyReader.of>>,
): SnapshotWebSocketPolicy {
  const messages = messageSwitch.of(object).isOn ? { messages: messageReader.of(object) } : {}
  return {
    ...everywhere,
    name: object.name,
    ...own,
    ...originReader.of(object),
    ...frameReader.of(object),
    ...messages,
  }
}

/** A path and the usual port, which browsers do not write, are left out. */
function originsIn(value: Value | undefined): string[] {
  return texts(value).map((one) =>
    one
      .toLowerCase()
      .replace(/^([^/]*\/\/[^/]*)\/.*$/, '$1')
      .replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2'),
  )
}

/** Which pages may open a WebSocket, and what its frames may be like. */
export type SnapshotWebSocketSettings = Settings<typeof originReader> & Settings<typeof frameReader>

/** What is looked for in the messages of clients. */
export type SnapshotMessageSecurity = Settings<typeof messageReader>
