import type { Kind } from '../../kinds/kind.ts'
import { adaptiveProfilingRule } from './adaptive-profiling-rule.ts'
import { customParameterClass } from './custom-parameter-class.ts'
import { formSpamForm } from './form-spam-form.ts'
import { jsonKeyProfile } from './json-key-profile.ts'
import { jsonProfile } from './json-profile.ts'
import { jsonSecurityPolicy } from './json-security-policy.ts'
import { jwtUrlProfile } from './jwt-url-profile.ts'
import { parameterOptimizer } from './parameter-optimizer.ts'
import { parameterProfile } from './parameter-profile.ts'
import { ruleException } from './rule-exception.ts'
import { secondOpinion } from './second-opinion.ts'
import { sessionIdentifier } from './session-identifier.ts'
import { urlOptimizer } from './url-optimizer.ts'
import { urlProfile } from './url-profile.ts'

export const profilesKinds: readonly Kind[] = [
  urlProfile,
  parameterProfile,
  jsonProfile,
  jsonKeyProfile,
  jsonSecurityPolicy,
  jwtUrlProfile,
  adaptiveProfilingRule,
  parameterOptimizer,
  urlOptimizer,
  formSpamForm,
  customParameterClass,
  ruleException,
  secondOpinion,
  sessionIdentifier,
]
