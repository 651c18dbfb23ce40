import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { rejectedRows, type AudienceDetails, type AudienceVersion } from '#contract/audiences'
import { Button } from '@/components/ui/button'
import { download } from '@/data/client'
import { formatCount, formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { saveFile } from '@/lib/save-file'
import { AudienceStatus } from './audience-status.tsx'
import { CELL, DetailCard, HEAD } from './detail-card.tsx'

/** The versions of an audience: its uploads with what was rejected and why, or its rules over time. */
export function AudienceHistory({ audience }: { readonly audience: AudienceDetails }) {
  const { t } = useTranslation('audiences')
  const isStatic = audience.type === 'static'
  return (
    <DetailCard flush title={t(isStatic ? 'details.history' : 'details.historyRules')}>
      <table className="w-full border-collapse text-[0.8125rem]/4.5">
        <caption className="sr-only">{t('details.historyTable')}</caption>
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              {t('details.version')}
            </th>
            <th scope="col" className={HEAD}>
              {t('columns.status')}
            </th>
            <th scope="col" className={HEAD}>
              {t('details.when')}
            </th>
            <th scope="col" className={HEAD}>
              {t('details.by')}
            </th>
            {isStatic && (
              <>
                {(['rows', 'accepted', 'duplicates'] as const).map((name) => (
                  <th key={name} scope="col" className={`${HEAD} text-right`}>
                    {t(`details.${name}`)}
                  </th>
                ))}
                <th scope="col" className={HEAD}>
                  {t('details.rejected')}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {audience.versions.map((version) => (
            <tr key={version.version} className="border-border border-b last:border-0">
              <th scope="row" className={`${CELL} text-left font-medium tabular-nums`}>
                {version.version}
              </th>
              <td className={`${CELL} whitespace-nowrap`}>
                <AudienceStatus statusKey={version.status_key} />
              </td>
              <td className={`${CELL} whitespace-nowrap tabular-nums`}>
                <time dateTime={version.created_at}>{formatMinute(version.created_at)}</time>
              </td>
              <td className={`${CELL} whitespace-nowrap`}>{version.author}</td>
              {isStatic && (
                <>
                  <td className={`${CELL} text-right tabular-nums`}>{formatCount(version.row_count)}</td>
                  <td className={`${CELL} text-right tabular-nums`}>{formatCount(version.accepted)}</td>
                  <td className={`${CELL} text-right tabular-nums`}>{formatCount(version.duplicates)}</td>
                  <td className={`${CELL} py-2`}>
                    <Rejected id={audience.id} version={version} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </DetailCard>
  )
}

function Rejected({ id, version }: { readonly id: string; readonly version: AudienceVersion }) {
  const { t } = useTranslation('audiences')
  const csv = useMutation({
    mutationFn: async () =>
      saveFile(
        await download(rejectedRows, { params: { id, version: String(version.version) } }),
        `rejected-rows-${version.version}.csv`,
      ),
  })
  if (version.rejected === 0) return <span className="text-muted-foreground">{t('details.noneRejected')}</span>
  return (
    <div className="flex items-center gap-3">
      <ul className="flex min-w-0 flex-col gap-0.5">
        {Object.entries(version.reasons).map(([reason, count]) => (
          <li key={reason} className="flex items-baseline gap-1.5">
            <span className="tabular-nums">{formatCount(count)}</span>
            <span className="text-muted-foreground">{lookUp(`audiences:reasons.${reason}`) ?? reason}</span>
          </li>
        ))}
      </ul>
      <Button
        variant="ghost"
        size="sm"
        disabled={csv.isPending}
        aria-label={t('details.downloadOf', { version: version.version })}
        onClick={() => csv.mutate()}
      >
        <Download aria-hidden />
        {t('details.download')}
      </Button>
    </div>
  )
}
