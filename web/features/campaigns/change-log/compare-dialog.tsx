import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import type { RevisionLine } from '#contract/audit'
import { HoverTip } from '@/components/hover-tip'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { formatMinute } from '@/i18n/format'
import { campaignQueries } from '@/data/campaign-queries'
import { Lines } from './as-was-dialog.tsx'
import { CopyJson } from './copy-json.tsx'
import { DifferenceViews } from './difference-views.tsx'
import { WIDE } from './log-dialog.tsx'
import { authorName } from './log-labels.ts'

type CompareDialogProps = {
  readonly campaign: string
  readonly from: number
  readonly to: number
  readonly index: readonly RevisionLine[]
  readonly onChange: (pair: { readonly from: number; readonly to: number }) => void
  readonly onClose: () => void
}

/** Compares any two revisions. */
export function CompareDialog({ campaign, from, to, index, onChange, onClose }: CompareDialogProps) {
  const { t } = useTranslation('log')
  const { data, error, refetch } = useQuery(campaignQueries.difference(campaign, from, to))
  const before = useQuery(campaignQueries.at(campaign, from))
  const after = useQuery(campaignQueries.at(campaign, to))
  const instead =
    data === undefined ? (
      error === null ? (
        <Lines />
      ) : (
        <LoadError title={t('compare.error')} error={error} onRetry={() => void refetch()} />
      )
    ) : data.changes.length === 0 ? (
      <output className="text-muted-foreground block py-10 text-center">{t('compare.same')}</output>
    ) : undefined
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('compare.title')} description={t('compare.text')} className={WIDE}>
        <div className="flex items-end gap-2 px-6 pt-3 pb-2">
          <Picker
            label={t('compare.from')}
            value={from}
            index={index}
            onChange={(revision) => onChange({ from: revision, to })}
          />
          <HoverTip text={t('compare.swap')}>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t('compare.swap')}
              className="mb-0.5"
              onClick={() => onChange({ from: to, to: from })}
            >
              <ArrowLeftRight aria-hidden />
            </Button>
          </HoverTip>
          <Picker label={t('compare.to')} value={to} index={index} onChange={(revision) => onChange({ from, to: revision })} />
        </div>
        <DifferenceViews
          changes={data?.changes ?? []}
          before={before.data?.state ?? null}
          after={after.data?.state ?? null}
          headings={{ before: t('compare.revision', { revision: from }), after: t('compare.revision', { revision: to }) }}
          subject={`${from} ${to}`}
        >
          {instead}
        </DifferenceViews>
        <div className="border-border border-t px-6 py-3">
          <CopyJson value={data} className="-ml-2.5" />
        </div>
      </DialogPanel>
    </Dialog>
  )
}

type PickerProps = {
  readonly label: string
  readonly value: number
  readonly index: readonly RevisionLine[]
  readonly onChange: (revision: number) => void
}

function Picker({ label, value, index, onChange }: PickerProps) {
  const { t } = useTranslation('log')
  const id = useId()
  return (
    <div className="flex min-w-0 grow basis-0 flex-col gap-1 *:w-full">
      <label htmlFor={id} className="text-xs text-muted-foreground font-medium">
        {label}
      </label>
      <NativeSelect
        id={id}
        value={value}
        onChange={({ target }) => onChange(Number(target.value))}
        className="text-[0.8125rem]/4.5 truncate tabular-nums"
      >
        {index.map((line) => (
          <option key={line.revision} value={line.revision}>
            {t('compare.option', { revision: line.revision, date: formatMinute(line.commit_date), author: authorName(line) })}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}
