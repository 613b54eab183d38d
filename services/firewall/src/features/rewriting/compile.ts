import type {
  SnapshotHeaderChange,
  SnapshotRequestRewrite,
  SnapshotRewriting,
} from '@palisade/proxy-protocol'
import { byName, isNotOff, number, text } from '../../kinds/conversions.ts'
import { type FieldReader, fieldReader, type Settings } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import { compileFrames } from '../clickjacking/compile.ts'
import { compileContentSecurity } from '../content-security/compile.ts'
import { secureHosts } from '../instant-ssl/compile.ts'
import { httpRequestRewrite } from './http-request-rewrite.ts'
import { httpResponseRewrite } from './http-response-rewrite.ts'
import { responseBodyRewrite } from './response-body-rewrite.ts'
import { urlTranslation } from './url-translation.ts'

const action = byName<SnapshotRequestRewrite['does'] | undefined>(
  {
    'Insert Header': 'insert-header',
    'Remove Header': 'remove-header',
    'Rewrite Header': 'rewrite-header',
    'Rewrite URL': 'rewrite-url',
    'Redirect URL': 'redirect-url',
  },
  undefined,
)

/** A change to the headers of requests or responses; rules apply in the order of `sequence`. */
export const headRewriteReader = fieldReader([httpRequestRewrite, httpResponseRewrite], {
  sequence: ['sequence-number', number],
  does: ['action', action],
  header: ['header', text],
  /** An extended match. */
  condition: ['condition', text],
  /** What a value has to fit: `*` stands for any characters, or all of it is a regular expression. Empty for any value. */
  oldValue: ['old-value', text],
  newValue: ['rewrite-value', text],
  /** Whether the rules that follow are applied once this one was. */
  continues: ['continue-processing', isNotOff],
})

/** A text that is replaced in the bodies of responses; rules apply in the order of `sequence`. */
export const bodyRewriteReader = fieldReader(responseBodyRewrite, {
  sequence: ['sequence-number', number],
  host: ['host', text],
  url: ['url', text],
  search: ['search-string', text],
  replacement: ['replace-string', text],
})

/** A place as servers know it (inside) and as clients do (outside). */
export const urlTranslationReader = fieldReader(urlTranslation, {
  insideHost: ['inside-domain', text],
  insidePrefix: ['inside-prefix', text],
  outsideHost: ['outside-domain', text],
  outsidePrefix: ['outside-prefix', text],
})

/** What is changed between the clients and the servers of a service; undefined when nothing is. */
export function compileRewriting(service: ConfigurationObject): SnapshotRewriting | undefined {
  const rewriting: SnapshotRewriting = {
    requests: inSequence(service, httpRequestRewrite.name, headRewriteReader).flatMap(
      (rule) => urlChange(rule) ?? headerChange(rule) ?? [],
    ),
    responses: inSequence(service, httpResponseRewrite.name, headRewriteReader).flatMap(
      (rule) => headerChange(rule) ?? [],
    ),
    bodies: inSequence(service, responseBodyRewrite.name, bodyRewriteReader),
    translations: childrenOf(service, urlTranslation.name).map((translation) => {
      const { insideHost, insidePrefix, outsideHost, outsidePrefix } = urlTranslationReader.of(translation)
      return {
        inside: { host: insideHost, prefix: insidePrefix },
        outside: { host: outsideHost, prefix: outsidePrefix },
      }
    }),
    secureHosts: secureHosts(service),
    ...optional('frames', compileFrames(service)),
    ...optional('contentSecurity', compileContentSecurity(service)),
  }
  const isEmpty = Object.values(rewriting).every((part) => Array.isArray(part) && part.length === 0)
  return isEmpty ? undefined : rewriting
}

/** What the rules of one kind say, in the order of their sequence numbers. */
function inSequence<Rule extends { readonly sequence: number }>(
  service: ConfigurationObject,
  kindName: string,
  reader: FieldReader<Rule>,
): Omit<Rule, 'sequence'>[] {
  return childrenOf(service, kindName)
    .map(reader.of)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ sequence: _, ...rule }) => rule)
}

type HeadRewrite = Omit<ReturnType<typeof headRewriteReader.of>, 'sequence'>

function urlChange({ does, header: _, ...change }: HeadRewrite): SnapshotRequestRewrite | undefined {
  return does === 'rewrite-url' || does === 'redirect-url' ? { does, ...change } : undefined
}

/** @returns undefined for a rule that names no header */
function headerChange({ does, header, ...change }: HeadRewrite): SnapshotHeaderChange | undefined {
  if (header === '' || does === undefined || does === 'rewrite-url' || does === 'redirect-url')
    return undefined
  return { does, header, ...change }
}

/** A change to the head of a request or an answer. */
export type SnapshotHeadRewrite = Omit<Settings<typeof headRewriteReader>, 'sequence' | 'does' | 'header'>

/** Texts in the bodies of answers that are replaced by others. */
export type SnapshotBodyRewrite = Omit<Settings<typeof bodyRewriteReader>, 'sequence'>
