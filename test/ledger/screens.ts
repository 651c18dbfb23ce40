import { idsOf, type Requirement } from './ledger.ts'

/** Requirements that only a screen can show or break, besides those of the kind "screen": what the form does before it sends, labels, notices. */
export const ON_SCREENS = `
  CAM-GEN-12 CAM-GOAL-01..09 CAM-CRE-04..06 CAM-PLC-02..11 CAM-SCH-01..04 CAM-ENT-02 CAM-ENT-48 CAM-ENT-53
  CAM-STATUS-30..35 CAM-APR-03 CAM-APR-05 CAM-APR-07 CAM-APR-08 CAM-RULE-05..10 CAM-RULE-12..21 CAM-SAVE-11 CAM-SAVE-12
  CAM-VAL-20 CAM-VAL-34 CAM-VAL-35 CAM-VAL-37 CAM-VAL-40 CAM-VAL-45 CAM-VAL-46 CAM-CVAL-44 CAM-CVAL-52 CAM-CVAL-53
  CAM-BID-02..11 CAM-BID-16..19 CAM-BID-46..49 CAM-BID-51 CAM-RUN-01..05 CAM-RUN-10..21 CAM-GAUGE-01..21
  CAM-ROLE-09..16 CAM-API-31 GEO-03 CAM-EST-12..14 CAM-EST-18 CAM-EST-20 DICT-06 DICT-07 DICT-12
  CAM-ERR-01 CAM-ERR-03 CAM-ERR-05..29 CAM-ERR-56`
  .trim()
  .split(/\s+/)
  .flatMap(idsOf)

const onScreens: ReadonlySet<string> = new Set(ON_SCREENS)

/** Areas that describe screens throughout, but for what calls answer. */
const SCREEN_AREAS = /^(CAM-ROUTE|CAM-LIST|CAM-FORM|CAM-NAV|CAM-MOD|CAM-LOG)-/
const ANSWERED: ReadonlySet<string> = new Set(
  ['CAM-MOD-08', 'CAM-MOD-10', 'CAM-MOD-12..20', 'CAM-LOG-13..17', 'CAM-LIST-67', 'CAM-LIST-69'].flatMap(idsOf),
)

export const isOnScreen = ({ id, kind }: Requirement): boolean =>
  kind === 'screen' || onScreens.has(id) || (SCREEN_AREAS.test(id) && !ANSWERED.has(id))
