import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { PopoverPanel } from '@/components/popover-panel'
import { Checkbox } from '@/components/ui/checkbox'
import { NativeSelect } from '@/components/ui/native-select'
import type { Popup } from '@/lib/use-popup'
import { REPORT_DEVICES } from '#domain/reports/figures'
import { ALL_SIZES, reportQueries } from './report-queries.ts'
import type { ReportView } from './use-report.ts'

/** Filters of a report. Several device kinds are drawn as a line each. */
export function ReportFiltersPanel({ report, popup }: { readonly report: ReportView; readonly popup: Popup }) {
  const { t } = useTranslation('reports')
  const id = useId()
  const { scope, range, filters, patch } = report
  const { data: known = [] } = useQuery({ ...reportQueries.publishers(scope, range), enabled: popup.open })
  const publishers = filters.publisher === null || known.includes(filters.publisher) ? known : [filters.publisher, ...known]
  return (
    <PopoverPanel popup={popup} align="start" aria-label={t('filters.open')} className="flex w-72 flex-col gap-4 p-4">
      <fieldset className="flex flex-col gap-2">
        <legend className="text-muted-foreground mb-2 text-xs">{t('filters.devices')}</legend>
        {REPORT_DEVICES.map((device) => (
          <label key={device} className="flex items-center gap-2 text-[0.8125rem]/4.5">
            <Checkbox
              checked={filters.devices.includes(device)}
              onCheckedChange={(on) => {
                const chosen = REPORT_DEVICES.filter((one) => (one === device ? on === true : filters.devices.includes(one)))
                patch({ devices: chosen.length === 0 ? undefined : chosen.join(',') })
              }}
            />
            {t(`device.${device}`)}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}size`} className="text-muted-foreground text-xs">
          {t('filters.size')}
        </label>
        <NativeSelect
          className="w-full"
          id={`${id}size`}
          value={filters.size ?? ALL_SIZES}
          onChange={({ target }) => patch({ size: Number(target.value) })}
        >
          <option value={ALL_SIZES}>{t('filters.allSizes')}</option>
          {BANNER_SIZES.map(({ key, width, height }) => (
            <option key={key} value={key}>
              {width}×{height}
            </option>
          ))}
        </NativeSelect>
      </div>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}publisher`} className="text-muted-foreground text-xs">
          {t('filters.publisher')}
        </label>
        <NativeSelect
          className="w-full"
          id={`${id}publisher`}
          value={filters.publisher ?? ''}
          onChange={({ target }) => patch({ publisher: target.value === '' ? undefined : target.value })}
        >
          <option value="">{t('filters.allPublishers')}</option>
          {publishers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </div>
    </PopoverPanel>
  )
}
