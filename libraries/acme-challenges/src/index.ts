export { challengeFront, type TlsFront } from './challenge-front.ts'
export { type ChallengeAnswers, Challenges } from './challenges.ts'
