import type { Field, Fields, Kind } from '../../kinds/kind.ts'
import { contentType, directiveText } from '../../kinds/patterns.ts'

/** The sources that every directive of Content Security Policy, Level 3, section 2.3.1, has here. */
const plainSources = ['All', 'None', 'Self'] as const

/** The directives that name sources, each with the list of hosts that are sources, too. */
export const sourceDirectives: Fields = {
  ...directive('child-src'),
  ...directive('connect-src'),
  ...directive('default-src', ['Data', 'Unsafe Eval', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('font-src', ['Data']),
  ...directive('form-action'),
  ...directive('frame-src'),
  ...directive('frames-ancestors'),
  ...directive('img-src', ['Data']),
  ...directive('manifest-src'),
  ...directive('media-src'),
  ...directive('object-src'),
  ...directive('prefetch-src'),
  ...directive('script-src', ['Data', 'Include Nonce', 'Unsafe Eval', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('script-src-attr', ['Data', 'Unsafe Eval', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('script-src-elem', ['Data', 'Include Nonce', 'Unsafe Eval', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('style-except-inline-attr', ['Data', 'Include Nonce', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('style-src', ['Data', 'Include Nonce', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('style-src-attr', ['Data', 'Unsafe Hashes', 'Unsafe Inline']),
  ...directive('worker-src'),
}

/**
 * The sources that a directive may name; it is left out of the header when there are none.
 *
 * @param further the sources beside All, None and Self
 */
export function sources(further: readonly string[] = []): Field {
  return { type: 'list', of: { type: 'choice', values: [...plainSources, ...further] } }
}

/**
 * @param name what the API calls it: frames-ancestors is frame-ancestors, style-except-inline-attr is style-src-elem
 * @param further the sources beside All, None and Self
 */
function directive(name: string, further?: readonly string[]): Fields {
  return {
    [name]: sources(further),
    [`${name}-host-list`]: {
      type: 'string',
      pattern: directiveText,
      description: 'Further sources, with blanks or commas between them.',
    },
  }
}

/** Becomes the header Content-Security-Policy, or Content-Security-Policy-Report-Only, of responses. */
export const cspPolicy = {
  name: 'csp-policy',
  title: 'CSP Policy',
  description: 'Where browsers may load the parts of a page from.',
  path: 'csp-policies',
  parent: 'client-side-protection-rule',
  identifiedBy: 'csp-policy-name',
  fields: {
    'csp-policy-name': { type: 'string', lengthMax: 64, required: true },
    'base-uri': sources(),
    'base-uri-document': {
      type: 'list',
      description: 'Further addresses that a page may give as its base.',
      of: { type: 'string', pattern: directiveText },
    },
    'csp-mode': {
      type: 'choice',
      description: 'Whether browsers block what the policy forbids, or only report it.',
      values: ['Block', 'Report Only'],
    },
    'csp-policy': {
      type: 'list',
      administrative: true,
      description: 'Whether the policy was put together here or taken from elsewhere.',
      of: { type: 'choice', values: ['Create Policy', 'Upload Policy'] },
    },
    ...sourceDirectives,
    'disown-opener': {
      type: 'yes-no',
      description: 'Keeps a page from reaching the one that opened it.',
    },
    'mixed-box-content': {
      type: 'yes-no',
      description: 'Keeps parts that come over HTTP out of pages that came over HTTPS.',
    },
    'plugin-types': {
      type: 'list',
      description: 'The types of content for which plugins may be used.',
      of: { type: 'string', lengthMax: 256, pattern: contentType },
    },
    'report-only': {
      type: 'list',
      description: 'Directives that are reported and not enforced.',
      of: { type: 'string', lengthMax: 256, pattern: directiveText },
    },
    'report-to': {
      type: 'string',
      lengthMax: 1024,
      pattern: directiveText,
      description: 'The name of the group of endpoints to which browsers report.',
    },
    'report-uri': {
      type: 'string',
      lengthMax: 1024,
      pattern: directiveText,
      description: 'The address to which browsers report.',
    },
    'sand-box': {
      type: 'list',
      description: 'What a page in a sandbox may do all the same; no sandbox when empty.',
      of: {
        type: 'choice',
        values: [
          'Allow Forms',
          'Allow Pointer Lock',
          'Allow Popups',
          'Allow Same Origin',
          'Allow Scripts',
          'Allow Top Navigation',
        ],
      },
    },
    'send-to': { type: 'yes-no', description: 'Has browsers report to the firewall, too.' },
    'sri-status': {
      type: 'on-off',
      description: 'Requires scripts and style sheets to state a digest.',
    },
    status: { type: 'on-off' },
    'upgrade-unsecure-req': {
      type: 'yes-no',
      description: 'Has browsers load over HTTPS what the page names with http://.',
    },
  },
} as const satisfies Kind
