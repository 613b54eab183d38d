import { attackType } from '../../features/patterns/attack-type.ts'
import { attackTypePattern } from '../../features/patterns/attack-type-pattern.ts'
import { botSpamType } from '../../features/patterns/bot-spam-type.ts'
import { identityTheftPattern } from '../../features/patterns/identity-theft-pattern.ts'
import { identityTheftType } from '../../features/patterns/identity-theft-type.ts'
import { inputType } from '../../features/patterns/input-type.ts'
import { inputTypePattern } from '../../features/patterns/input-type-pattern.ts'
import { refererSpamPattern } from '../../features/patterns/referer-spam-pattern.ts'
import type { Kind } from '../../kinds/kind.ts'

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
