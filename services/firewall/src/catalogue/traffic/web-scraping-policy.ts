import type { Kind } from '../../kinds/kind.ts'

export const webScrapingPolicy = {
  name: 'web-scraping-policy',
  title: 'Web Scraping Policy',
  description: '',
  path: 'web-scraping-policies',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'blacklisted-categories': {
      type: 'list',
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
    'delay-time': { type: 'string', lengthMax: 64 },
    'detect-mouse-event': { type: 'yes-no' },
    'insert-delay': { type: 'yes-no' },
    'insert-disallowed-urls': { type: 'yes-no' },
    'insert-hidden-links': { type: 'yes-no' },
    'insert-javascript-in-response': { type: 'yes-no' },
    'whitelisted-bots': {
      type: 'list',
      of: { type: 'choice', values: ['Baidu', 'Google', 'Microsoft', 'Twitter', 'Yahoo', 'Yandex'] },
    },
  },
} as const satisfies Kind
