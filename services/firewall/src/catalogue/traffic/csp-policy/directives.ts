import type { Field, Fields } from '../../../kinds/kind.ts'
import { directiveText } from '../../../kinds/patterns.ts'

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
