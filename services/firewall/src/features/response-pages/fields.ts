import type { Kind } from '../../kinds/kind.ts'
import { statusLine } from '../../kinds/patterns.ts'
import { factoryPages } from './factory-pages.ts'

/** The factory has several, of which `default` is shown where no other one is named. */
export const responsePage = {
  name: 'response-page',
  title: 'Response Page',
  description: 'What clients are answered with when the firewall answers in the place of a server.',
  path: 'response-pages',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'status-code': {
      type: 'string',
      lengthMax: 128,
      pattern: statusLine,
      required: true,
      description: 'The status with its reason, such as 404 Not Found.',
    },
    body: {
      type: 'string',
      lengthMax: 65_535,
      description:
        '%action-id, %attack-name, %attack-time, %client-ip, %host, %log-id and %s (the URL) stand for what is known about the request, and %login-path, on the pages of people who log in, for the login-processor-path of the service; %challenge, in default-captcha-response-page, for the riddle.',
    },
    headers: {
      type: 'string',
      lengthMax: 4096,
      linesInOlderVersions: true,
      description: 'One header in each line, such as Content-Type: text/html.',
    },
    type: {
      administrative: true,
      type: 'choice',
      description: 'Where the page is offered for choice.',
      values: ['Access Control Pages', 'Captcha Pages', 'Error Pages', 'Other Pages'],
    },
  },
  factory: factoryPages,
} as const satisfies Kind
