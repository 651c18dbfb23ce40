import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AudienceDetails } from '#contract/audiences'
import { StatusText } from '@/components/status-text'
import { Badge } from '@/components/ui/badge'
import { CELL, DetailCard, HEAD } from './detail-card.tsx'

/** The campaigns that use an audience, each with the version that it was approved with. */
export function AudienceCampaigns({ audience: { campaigns } }: { readonly audience: AudienceDetails }) {
  const { t } = useTranslation('audiences')
  if (campaigns.length === 0)
    return (
      <DetailCard title={t('details.campaigns')}>
        <p className="text-muted-foreground text-pretty">{t('details.campaignsNone')}</p>
      </DetailCard>
    )
  return (
    <DetailCard flush title={t('details.campaigns')}>
      <table className="w-full border-collapse text-[0.8125rem]/4.5">
        <caption className="sr-only">{t('details.campaignsTable')}</caption>
        <thead>
          <tr>
            {(['columns.name', 'columns.status', 'details.how', 'details.version'] as const).map((key) => (
              <th key={key} scope="col" className={HEAD}>
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ id, name, status_key: statusKey, list, version, newer_version: isNewer }) => (
            <tr key={id} className="border-border border-b last:border-0">
              <th scope="row" className={`${CELL} text-left font-medium`}>
                <Link to="/campaign/edit/$id" params={{ id }} className="hover:underline">
                  {name}
                </Link>
              </th>
              <td className={`${CELL} whitespace-nowrap`}>
                <StatusText statusKey={statusKey} />
              </td>
              <td className={CELL}>{t(`details.lists.${list}`)}</td>
              <td className={CELL}>
                {version === null ? (
                  <span className="text-muted-foreground">{t('details.notServing')}</span>
                ) : (
                  <span className="flex flex-wrap items-center gap-2">
                    {t('details.pinned', { version })}
                    {isNewer && <Badge variant="secondary">{t('details.newer')}</Badge>}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </DetailCard>
  )
}
