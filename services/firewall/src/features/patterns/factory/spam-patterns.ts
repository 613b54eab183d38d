import type { FactoryPatterns } from './factory-patterns.ts'

/** What betrays a link that was planted: in the Referer of a request, or in a comment. */
export const spamPatterns: FactoryPatterns = {
  'Spam URL List': {
    gambling: {
      regex: /https?:\/\/[^\s/]{0,120}(?:casino|poker|roulette|slots|betting|jackpot)/,
      description: 'A host that is named after games of chance.',
    },
    pharmacy: {
      regex: /https?:\/\/[^\s/]{0,120}(?:viagra|cialis|levitra|tramadol|pharmacy|pills)/,
      description: 'A host that is named after medicine.',
    },
    loans: {
      regex: /https?:\/\/[^\s/]{0,120}(?:payday|cash-?advance|fast-?loan|quick-?loan)/,
      description: 'A host that is named after loans.',
    },
    adult: {
      regex: /https?:\/\/[^\s/]{0,120}(?:porn|xxx|escort|sexcam)/,
      description: 'A host that is named after pornography.',
    },
    'traffic-seller': {
      regex:
        /https?:\/\/[^\s/]{0,120}(?:free-?traffic|buy-?traffic|get-?backlinks|seo-?service|website-?buttons)/,
      description: 'A host that is named after visitors for sale.',
    },
    'link-markup': {
      regex: /\[url(?:=|\])|<a\s{1,16}href\s{0,16}=/,
      description: 'A link as forums and pages write it.',
    },
  },
}
