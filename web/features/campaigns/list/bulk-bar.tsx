import { CalendarClock, CircleAlert, Pencil, Tags, X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { BULK_ACTIONS } from '@/app/actions'
import { ariaKeys } from '@/app/shortcuts/keys'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { LABELS_KEY } from '../labels/use-labels.tsx'
import { cn } from '@/lib/utils'
import type { Bulk } from './use-bulk.ts'

const EDIT_KEY = 'shift+e'
const SCHEDULE_KEY = 'shift+s'

type BulkBarProps = {
  readonly bulk: Bulk
  readonly onEdit: () => void
  readonly onSchedule: () => void
  readonly onLabel: () => void
}

/**
 * The bar of bulk actions. It floats above the page, so that no row moves under the pointer. Failures stay until they are
 * dismissed.
 */
export function BulkBar({ bulk, onEdit, onSchedule, onLabel }: BulkBarProps) {
  const { t } = useTranslation(['campaigns', 'labels'])
  const { here, act, running, progress, failures, dismiss, clear, more, loading, selectMatching } = bulk
  const edit = useRef<HTMLButtonElement>(null)
  async function takeAll() {
    // The button goes with what it offered.
    if (!loading && (await selectMatching())) edit.current?.focus()
  }
  useShortcuts([
    {
      id: 'campaigns.edit-selected',
      label: `${t('campaigns:bulk.edit')} (${t('campaigns:bulk.chosen', { count: here.length })})`,
      keys: [EDIT_KEY],
      when: () => here.length > 0 && !running,
      run: onEdit,
    },
    {
      id: 'campaigns.schedule-selected',
      label: `${t('campaigns:actions.schedule')} (${t('campaigns:bulk.chosen', { count: here.length })})`,
      keys: [SCHEDULE_KEY],
      when: () => here.length > 0 && !running,
      run: onSchedule,
    },
  ])
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-30 flex flex-col-reverse items-center gap-2 px-4 lg:left-60">
      {here.length > 0 && (
        <div
          role="toolbar"
          data-slot="bulk-bar"
          aria-label={t('campaigns:bulk.label')}
          className="animate-enter bg-popover border-border shadow-lg pointer-events-auto flex max-w-full flex-wrap items-center gap-2 rounded-xl border py-1.5 pr-2 pl-4"
        >
          <p className={cn('font-medium tabular-nums', more === null && 'mr-4')}>
            {progress === null ? t('campaigns:bulk.chosen', { count: here.length }) : t('campaigns:bulk.progress', progress)}
          </p>
          {more !== null && (
            <Button size="sm" variant="ghost" aria-disabled={loading} aria-busy={loading} onClick={() => void takeAll()}>
              {t(more.isEverything ? 'campaigns:bulk.everything' : 'campaigns:bulk.first', { count: more.count })}
            </Button>
          )}
          <Button
            ref={edit}
            size="sm"
            variant="outline"
            aria-keyshortcuts={ariaKeys([EDIT_KEY])}
            disabled={running}
            onClick={onEdit}
          >
            <Pencil aria-hidden />
            {t('campaigns:bulk.edit')}
          </Button>
          <Button
            size="sm"
            variant="outline"
            aria-keyshortcuts={ariaKeys([SCHEDULE_KEY])}
            disabled={running}
            onClick={onSchedule}
          >
            <CalendarClock aria-hidden />
            {t('campaigns:bulk.schedule')}
          </Button>
          <Button size="sm" variant="outline" aria-keyshortcuts={ariaKeys([LABELS_KEY])} disabled={running} onClick={onLabel}>
            <Tags aria-hidden />
            {t('labels:bulk')}
          </Button>
          {BULK_ACTIONS.map((entry) => (
            <Button
              key={entry.id}
              size="sm"
              variant="outline"
              aria-keyshortcuts={ariaKeys([entry.bulkKeys])}
              disabled={running}
              onClick={() => void act(entry)}
            >
              <entry.Icon aria-hidden />
              {t(`campaigns:actions.${entry.name}`)}
            </Button>
          ))}
          <Button size="icon" variant="ghost" aria-label={t('campaigns:bulk.clear')} onClick={clear}>
            <X aria-hidden />
          </Button>
        </div>
      )}
      {failures.length > 0 && (
        <Notice
          tone="warn"
          role="alert"
          className="shadow-lg border-border pointer-events-auto max-h-[50dvh] w-full max-w-[640px] overflow-y-auto border"
        >
          <CircleAlert aria-hidden />
          <div className="grow">
            <p className="font-semibold">{t('campaigns:bulk.failed', { count: failures.length })}</p>
            <ul className="text-[0.8125rem]/4.5 mt-1 flex flex-col gap-0.5">
              {failures.map(({ id, name, text }) => (
                <li key={id}>
                  <span className="font-medium">{name}</span>: {text}
                </li>
              ))}
            </ul>
          </div>
          <Button size="icon" variant="ghost" aria-label={t('campaigns:bulk.dismiss')} onClick={dismiss}>
            <X aria-hidden />
          </Button>
        </Notice>
      )}
    </div>
  )
}
