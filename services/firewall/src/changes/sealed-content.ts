import type { TextSeal } from '@palisade/platform'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import type { Value, Values } from '../kinds/values.ts'
import type { Content } from '../objects/content.ts'

/** The content with its secrets sealed, as it may leave the memory. */
export function sealedContent(kind: CompiledKind, content: Content, seal: TextSeal): Content {
  return withSecrets(kind, content, (text) => seal.seal(text))
}

/**
 * The content that was sealed.
 *
 * @throws Error when it was sealed by another installation
 */
export function openedContent(kind: CompiledKind, content: Content, seal: TextSeal): Content {
  return withSecrets(kind, content, (text) => (seal.isSealed(text) ? opened(text, seal) : text))
}

function opened(text: string, seal: TextSeal): string {
  try {
    return seal.open(text)
  } catch (cause) {
    throw new Error(
      'a secret in the store does not open with the secret.key in the data directory: put the one that the store was made with back',
      { cause },
    )
  }
}

function withSecrets(kind: CompiledKind, content: Content, change: (text: string) => string): Content {
  const sections = Object.entries(content.sections).map(([segment, values]) => {
    const fields = kind.sections.find((section) => section.segment === segment)?.fields
    return [segment, fields ? changed(fields, values, change) : values]
  })
  return { values: changed(kind.fields, content.values, change), sections: Object.fromEntries(sections) }
}

function changed(fields: FieldSet, values: Values, change: (text: string) => string): Values {
  const { secretNames } = fields
  if (secretNames.length === 0) return values
  const after: Record<string, Value> = { ...values }
  for (const name of secretNames) {
    const value = values[name]
    if (typeof value === 'string') after[name] = change(value)
    else if (typeof value === 'object') after[name] = value.map(change)
  }
  return after
}
