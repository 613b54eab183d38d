import type { Kind } from '../../kinds/kind.ts'
import { addressRanges, hostMatch } from '../../kinds/patterns.ts'

/** A client that calls itself this bot has to come from one of its hosts or addresses, or it is an impostor. */
export const whitelistedBot = {
  name: 'whitelisted-bot',
  title: 'Whitelisted Bot',
  description: 'A bot that is welcome, and how it proves who it is.',
  path: 'whitelisted-bots',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'user-agent': {
      type: 'string',
      lengthMax: 4096,
      required: true,
      description: 'What the header User-Agent contains, in upper or lower case.',
    },
    host: {
      type: 'list',
      description: "The names to which the client's address leads, and which lead back to it.",
      of: { type: 'string', lengthMax: 254, pattern: hostMatch },
    },
    identifier: { type: 'choice', values: ['Host', 'IP Addresses'] },
    'ip-address': {
      type: 'string',
      pattern: addressRanges,
      description: 'The addresses from which the bot comes.',
    },
  },
  // The hosts are those that the operators of the bots publish for this purpose.
  factory: [
    factoryBot('Baidu', 'Baiduspider', ['*.baidu.com', '*.baidu.jp']),
    factoryBot('Google', 'Googlebot', ['*.googlebot.com', '*.google.com']),
    factoryBot('Microsoft', 'bingbot', ['*.search.msn.com']),
    factoryBot('Twitter', 'Twitterbot', ['*.twttr.com']),
    factoryBot('Yahoo', 'Yahoo! Slurp', ['*.crawl.yahoo.net']),
    factoryBot('Yandex', 'YandexBot', ['*.yandex.ru', '*.yandex.net', '*.yandex.com']),
  ],
} as const satisfies Kind

function factoryBot(name: string, userAgent: string, host: readonly string[]) {
  return { path: [name], fields: { 'user-agent': userAgent, host } }
}
