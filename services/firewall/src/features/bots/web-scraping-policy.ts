import type { Kind } from '../../kinds/kind.ts'
import { digits } from '../../kinds/patterns.ts'

/** Has an effect where a URL policy names it. */
export const webScrapingPolicy = {
  name: 'web-scraping-policy',
  title: 'Web Scraping Policy',
  description: 'Traps that tell programs that copy a site from people and from welcome bots.',
  path: 'web-scraping-policies',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'blacklisted-categories': {
      type: 'list',
      description: 'Bots that are refused whatever they do.',
      of: {
        type: 'choice',
        values: [
          'Feed Fetcher',
          'Link checker',
          'Marketing',
          'Screenshot creator',
          'Search engine bot',
          'Site monitor',
          'Speed tester',
          'Tool',
          'Uncategorised',
          'Unrecognized',
          'Virus scanner',
          'Vulnerability scanner',
          'Web scraper',
        ],
      },
    },
    comments: { type: 'string', lengthMax: 256 },
    'delay-time': {
      type: 'string',
      lengthMax: 64,
      pattern: digits,
      description: 'The seconds that robots.txt asks bots to wait between requests.',
    },
    'detect-mouse-event': {
      type: 'yes-no',
      description: 'Takes clients whose mouse never moves for programs.',
    },
    'insert-delay': { type: 'yes-no', description: 'Asks bots in robots.txt to wait between requests.' },
    'insert-disallowed-urls': {
      type: 'yes-no',
      description: 'Forbids in robots.txt a URL that nobody reaches otherwise, and refuses who asks for it.',
    },
    'insert-hidden-links': {
      type: 'yes-no',
      description: 'Puts a link into pages that people do not see, and refuses who follows it.',
    },
    'insert-javascript-in-response': {
      type: 'yes-no',
      description: 'Puts a script into pages that programs do not run.',
    },
    'whitelisted-bots': {
      type: 'list',
      description: 'Bots that are let pass once they have proved who they are.',
      of: { type: 'reference', to: 'whitelisted-bot' },
    },
  },
} as const satisfies Kind
