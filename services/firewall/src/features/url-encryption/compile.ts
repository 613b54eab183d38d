import type { SnapshotKey, SnapshotUrlEncryption } from '@palisade/proxy-protocol'
import { isOn, text, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { inOrder } from '../places/compile.ts'
import { service } from '../services/service.ts'
import { urlEncryptionRule } from './fields.ts'

/** Without this, no rule of the service is followed. */
export const urlEncryptionSwitch = sectionReader(service, 'url-encryption', { isOn: ['status', isOn] })

/** The pages whose links are encrypted; undefined where the rule is switched off. */
export const urlEncryptionRuleReader = whenOn(
  fieldReader(urlEncryptionRule, {
    isOn: ['status', isOn],
    /** The pages whose links are encrypted: a host and a path, in which `*` stands for any characters. */
    host: ['host', text],
    url: ['url', text],
    /** Whether these pages may be asked for by their plain addresses as well. */
    allowsPlainRequests: ['allow-unencrypted-requests', isOn],
    /** Addresses that stay plain; `*` stands for any characters. */
    excludedUrls: ['exclude-urls', texts],
  }),
)

/** How the links of a service are encrypted; undefined when they are not. */
export function compileUrlEncryption(
  object: ConfigurationObject,
  keys: readonly SnapshotKey[],
): SnapshotUrlEncryption | undefined {
  if (!urlEncryptionSwitch.of(object).isOn) return undefined
  const rules = childrenOf(object, urlEncryptionRule.name).flatMap((rule) => {
    const read = urlEncryptionRuleReader.of(rule)
    return read === undefined ? [] : { name: rule.name, ...read, extendedMatch: '*', sequence: 0 }
  })
  if (rules.length === 0) return undefined
  return { keys, rules: inOrder(rules).map(({ extendedMatch: _, sequence: __, ...rule }) => rule) }
}

/** What a rule for encrypted links says itself. */
export type SnapshotUrlEncryptionSettings = Settings<typeof urlEncryptionRuleReader>
