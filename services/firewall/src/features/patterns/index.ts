import type { Kind } from '../../kinds/kind.ts'
import { attackType } from './attack-type.ts'
import { attackTypePattern } from './attack-type-pattern.ts'
import { botSpamType } from './bot-spam-type.ts'
import { identityTheftPattern } from './identity-theft-pattern.ts'
import { identityTheftType } from './identity-theft-type.ts'
import { inputType } from './input-type.ts'
import { inputTypePattern } from './input-type-pattern.ts'
import { refererSpamPattern } from './referer-spam-pattern.ts'

/** Types of attacks, data, inputs and planted links, each followed by the kind of its patterns. */
export const patternsKinds: readonly Kind[] = [
  attackType,
  attackTypePattern,
  identityTheftType,
  identityTheftPattern,
  inputType,
  inputTypePattern,
  botSpamType,
  refererSpamPattern,
]
