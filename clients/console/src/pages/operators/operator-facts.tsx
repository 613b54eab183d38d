import type { AdministrationSchemas } from '@palisade/sdk'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { texts as shared } from '../../texts.ts'
import { describeGrants } from './grants.tsx'
import { texts as all } from './texts.ts'

const texts = all.operator

/** What there is to say of an operator. */
export function OperatorFacts({
  operator,
}: {
  readonly operator: AdministrationSchemas['schemas']['Operator']
}) {
  const { username, grants, isDisabled, secondFactor, passkeys, identity, hasPassword } = operator
  return (
    <dl className="facts">
      <dt>{all.operators.username}</dt>
      <dd>{username}</dd>
      <dt>{all.operators.state}</dt>
      <dd>
        <State state={isDisabled ? 'idle' : 'good'}>
          {isDisabled ? all.operators.disabled : all.operators.active}
        </State>
      </dd>
      <dt>{all.operators.grants}</dt>
      <dd>{describeGrants(grants)}</dd>
      {identity !== null && (
        <>
          <dt>{texts.identity}</dt>
          <dd>{identity.issuer}</dd>
        </>
      )}
      <dt>{texts.hasPassword}</dt>
      <dd>{hasPassword ? shared.yes : shared.no}</dd>
      <dt>{all.operators.secondFactor}</dt>
      <dd>{secondFactor === null ? all.operators.none : texts.factors[secondFactor]}</dd>
      <dt>{texts.passkeys}</dt>
      <dd>{passkeys}</dd>
      <dt>{all.operators.lastLogin}</dt>
      <dd>
        <Time at={operator.lastLoginAt} />
      </dd>
      <dt>{texts.created}</dt>
      <dd>
        <Time at={operator.createdAt} />
      </dd>
    </dl>
  )
}
