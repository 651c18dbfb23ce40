import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReportTableRow } from '#contract/report-tables'
import { formatPlainDay, formatPlainDayOfHour } from '@/i18n/format'
import { cn } from '@/lib/utils'
import type { TableGrouping } from '#domain/reports/groupings'

const PICTURE = { width: 48, height: 36 }

/** How a row is called: campaigns with a link to their report, creatives with their picture, apps with their id. */
export function RowName({ row, grouping }: { readonly row: ReportTableRow; readonly grouping: TableGrouping }) {
  const { key, label, detail, url } = row
  if (grouping === 'day') return <span className="whitespace-nowrap">{formatPlainDay(key)}</span>
  if (grouping === 'date_hour')
    return <span className="whitespace-nowrap">{formatPlainDayOfHour(key.slice(0, 10), Number(key.slice(11, 13)))}</span>
  if (grouping === 'campaign')
    return (
      <Link
        to="/reports"
        search={(before) => ({ ...before, campaignId: key, by: undefined, q: undefined, page: undefined })}
        data-focus="name"
        className="rounded-[3px] py-[3px] font-medium hover:underline"
      >
        {label}
      </Link>
    )
  return (
    <span className="flex items-center gap-2.5">
      {grouping === 'creative' && (
        <span className="bg-muted grid shrink-0 place-items-center overflow-hidden rounded-sm" style={PICTURE}>
          {url !== null && <Picture key={url} url={url} />}
        </span>
      )}
      <span className="flex min-w-0 flex-col">
        <span>{label}</span>
        {detail !== null && <span className="text-muted-foreground text-xs">{detail}</span>}
      </span>
    </span>
  )
}

/** The picture of a creative, whose name is beside it. A banner of HTML has none, which leaves the place empty. */
function Picture({ url }: { readonly url: string }) {
  const [failed, setFailed] = useState(false)
  return (
    <img
      src={url}
      alt=""
      {...PICTURE}
      className={cn('size-full object-contain', failed && 'invisible')}
      onError={() => setFailed(true)}
    />
  )
}
