import { useTranslation } from 'react-i18next'
import type { AudienceDetails } from '#contract/audiences'
import { TimeChart } from '@/components/charts/time-chart'
import { formatCount, formatMinute, formatShortDay } from '@/i18n/format'
import { DetailCard } from './detail-card.tsx'

/** The size over time. */
export function AudienceSizes({ audience: { sizes } }: { readonly audience: AudienceDetails }) {
  const { t } = useTranslation('audiences')
  const every = Math.max(1, Math.ceil(sizes.length / 6))
  return (
    <DetailCard title={t('details.size')}>
      {sizes.length === 0 ? (
        <p className="text-muted-foreground">{t('details.sizeNone')}</p>
      ) : (
        <TimeChart
          title={t('details.size')}
          filled
          height={200}
          pointLabel={t('details.sizePoint')}
          points={sizes.map(({ at }, n) => ({
            key: at,
            label: formatMinute(at),
            ...(n % every === 0 ? { tick: formatShortDay(at) } : {}),
          }))}
          series={[
            {
              id: 'members',
              label: t('details.members'),
              values: sizes.map(({ members }) => members),
              format: formatCount,
              unit: 'members',
              whole: true,
              colour: 0,
            },
          ]}
        />
      )}
    </DetailCard>
  )
}
