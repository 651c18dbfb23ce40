import { fault } from '../saving/faults.ts'
import { codesOf, SIMILARITIES } from './options.ts'
import type { Rule } from '../saving/save-context.ts'

const HOUR = /^([01]\d|2[0-3])$/

/** Rules of audience and geography (campaigns.md §5, §9). */
export const targetingRules: Rule = (content, _, report) => {
  const { targeting: who, attribution, scheduling } = content
  if (who.fromAge < 18 || who.toAge > 65) report(fault('targeting.fromAge', 2, 'outOfRange', { min: 18, max: 65 }))
  if (who.fromAge > who.toAge) report(fault('targeting.fromAge', 2, 'orderedAges'))
  if (!codesOf(SIMILARITIES).includes(who.similarity)) report(fault('targeting.similarity', 2, 'outOfRange', { min: 0, max: 3 }))
  if (attribution.length > 10) report(fault('attribution', 2, 'tooMany', { max: 10 }))
  if (Object.values(scheduling).some((hours) => hours.some((hour) => !HOUR.test(hour))))
    report(fault('scheduling', 2, 'notAllowed'))
}
