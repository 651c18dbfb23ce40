import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AudienceDetails } from '#contract/audiences'
import type { RuleGroup } from '#domain/campaign/content/content'
import { useOperatorName } from '@/components/rules/operator-name'
import { formatCount, formatMinute } from '@/i18n/format'
import { DetailCard } from './detail-card.tsx'
import { useVisitorVocabulary } from './use-visitor-rules.ts'

/** Kind and size of an audience. */
export function AudienceSummary({ audience }: { readonly audience: AudienceDetails }) {
  const { t } = useTranslation('audiences')
  const { type, matched, row_count: rows, accepted, rejected, duplicates, version, created_at, updated_at } = audience
  return (
    <DetailCard title={t('details.summary')}>
      <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-[0.8125rem]/5 max-sm:grid-cols-1">
        <Fact name={t('details.type')}>{t(`types.${type}`)}</Fact>
        <Fact name={t('details.members')}>{formatCount(matched)}</Fact>
        {type === 'static' && (
          <>
            <Fact name={t('details.rows')}>{formatCount(rows)}</Fact>
            <Fact name={t('details.accepted')}>{formatCount(accepted)}</Fact>
            <Fact name={t('details.rejected')}>{formatCount(rejected)}</Fact>
            <Fact name={t('details.duplicates')}>{formatCount(duplicates)}</Fact>
          </>
        )}
        {audience.rules !== null && (
          <Fact name={t('details.rules')}>
            <Rules rules={audience.rules} />
          </Fact>
        )}
        <Fact name={t('details.version')}>{version === null ? '–' : formatCount(version)}</Fact>
        <Fact name={t('details.created')}>{formatMinute(created_at)}</Fact>
        <Fact name={t('details.updated')}>{formatMinute(updated_at)}</Fact>
      </dl>
    </DetailCard>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="wrap-anywhere tabular-nums">{children}</dd>
  </>
)

/** The rules in words, with groups in brackets. */
function Rules({ rules }: { readonly rules: RuleGroup }) {
  const { t } = useTranslation('bidding')
  const { filterName } = useVisitorVocabulary()
  const operatorName = useOperatorName()
  const textOf = (group: RuleGroup, isNested: boolean): string => {
    const text = group.rules
      .map((rule) =>
        'rules' in rule
          ? textOf(rule, group.rules.length > 1)
          : `${filterName(rule.field)} ${operatorName(rule.operator)} ${String(rule.value)}`,
      )
      .join(` ${t(group.condition)} `)
    return isNested && group.rules.length > 1 ? `(${text})` : text
  }
  return textOf(rules, false)
}
