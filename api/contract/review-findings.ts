import { ADDRESS_FAULTS } from '#domain/campaign/review/followed-addresses'
import { CHECKS, type Check, type Topic } from '#domain/campaign/review/simple-checks'
import { idParams } from './campaign-answers.ts'
import { endpoint, named } from './http.ts'
import { z } from './zod.ts'

/** Findings of simple checks in a submission (fine print 104). */

const check = z.enum(Object.keys(CHECKS) as [Check, ...Check[]])
const topic = z.enum([...new Set(Object.values(CHECKS))] as [Topic, ...Topic[]])

export const reviewFindings = endpoint({
  id: 'moderation.findings',
  method: 'GET',
  path: '/v1/whitelabel/admin/moderation/findings/:id',
  access: 'campaign.moderate',
  summary: 'What simple checks found in the newest content of a campaign, and the canned reasons that fit; they decide nothing',
  params: idParams,
  reads: ['campaign-list'],
  output: named(
    'ReviewFindings',
    z.object({
      revision: z.number(),
      total: z.number(),
      checking: z.boolean().check(z.describe('Addresses are being asked whether a page answers: ask again for what was found')),
      findings: z
        .array(
          z.object({
            check,
            topic: topic.check(z.describe('The policy that the check is about')),
            path: z.string().check(z.describe('The place in the content, as faults name it')),
            value: z.string().check(z.describe('The address, the beginning of the text, or the banned word')),
            fault: z.nullable(z.enum(ADDRESS_FAULTS)).check(z.describe('Why a dead address is one; null for other checks')),
          }),
        )
        .check(z.describe('At most 100')),
      reasons: z
        .array(z.number())
        .check(z.describe('Places in the reasons of moderation.guidelines whose policy is named like a topic of the findings')),
    }),
  ),
})
export type ReviewFindings = z.output<typeof reviewFindings.output>

export const REVIEW_FINDINGS_ENDPOINTS = [reviewFindings]
