import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEntry } from '#contract/audit'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { formatMinute } from '@/i18n/format'
import { AsWasDialog } from './as-was-dialog.tsx'
import { CopyJson } from './copy-json.tsx'
import { DifferenceViews } from './difference-views.tsx'
import { authorName, eventsText, sourceName } from './log-labels.ts'
import { TakeBackDialog, type TakeBack } from './take-back-dialog.tsx'

type LogDialogProps = {
  readonly campaign: string
  readonly entry: LogEntry | null
  /** Which actions are available: both need the right to write, and the newest revision cannot be restored. */
  readonly takeBack: { readonly undo: boolean; readonly restore: boolean }
  /** Null at the end of the log. */
  readonly onNewer: (() => void) | null
  readonly onOlder: (() => void) | null
  /** The revision whose row gets the focus: an entry opened by its address may be on another page. Undefined without rows. */
  readonly rowAfter: number | undefined
  readonly onClose: () => void
}

/** 800 to 1200 px wide (campaigns.md §2). */
export const WIDE =
  'top-[6vh] max-h-[88vh] min-h-[400px] w-[80vw] max-w-[min(1200px,calc(100vw-32px))] min-w-[min(800px,calc(100vw-32px))]'

/** Shows one entry: its changes, its events and the actions on it. */
export function LogDialog({ campaign, entry, takeBack, onNewer, onOlder, rowAfter, onClose }: LogDialogProps) {
  const [over, setOver] = useState<TakeBack | 'asWas' | null>(null)
  const { t } = useTranslation('log')
  const close = () => {
    setOver(null)
    onClose()
  }
  return (
    <>
      <Dialog open={entry !== null} onOpenChange={(open) => !open && close()}>
        {entry !== null && (
          <DialogPanel
            title={t('dialog')}
            description={<EntryLine entry={entry} />}
            className={WIDE}
            onKeyDown={({ altKey, key }) => {
              if (altKey && key === 'ArrowUp') onNewer?.()
              if (altKey && key === 'ArrowDown') onOlder?.()
            }}
            onCloseAutoFocus={(event) => {
              // Focus the row of the last viewed entry, which need not be the one that opened the dialog.
              event.preventDefault()
              if (rowAfter !== undefined) document.getElementById(entryButtonId(rowAfter))?.focus()
            }}
          >
            <DifferenceViews
              changes={entry.state_difference}
              before={entry.previous_state}
              after={entry.current_state}
              subject={entry.revision}
              end={
                <div className="-mr-2 flex">
                  <Step label={t('newer')} keys="Alt+ArrowUp" icon={ChevronUp} onStep={onNewer} />
                  <Step label={t('older')} keys="Alt+ArrowDown" icon={ChevronDown} onStep={onOlder} />
                </div>
              }
            />
            <div className="border-border flex flex-wrap items-center justify-end gap-2 border-t px-6 py-3">
              <CopyJson value={entry} className="mr-auto -ml-2.5" />
              <Button variant="outline" size="sm" onClick={() => setOver('asWas')}>
                {t('asWas.open')}
              </Button>
              {takeBack.undo && (
                <Button variant="outline" size="sm" onClick={() => setOver('undo')}>
                  {t('takeBack.undo.open')}
                </Button>
              )}
              {takeBack.restore && (
                <Button variant="outline" size="sm" onClick={() => setOver('restore')}>
                  {t('takeBack.restore.open')}
                </Button>
              )}
            </div>
          </DialogPanel>
        )}
      </Dialog>
      {entry !== null && over === 'asWas' && (
        <AsWasDialog campaign={campaign} revision={entry.revision} onClose={() => setOver(null)} />
      )}
      {entry !== null && (over === 'undo' || over === 'restore') && (
        <TakeBackDialog kind={over} campaign={campaign} revision={entry.revision} onCancel={() => setOver(null)} onDone={close} />
      )}
    </>
  )
}

export const entryButtonId = (revision: number) => `log-entry-${revision}`

function EntryLine({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('log')
  const { commit_date, revision, events, source } = entry
  return (
    // Announced with every step to another entry.
    <span aria-live="polite" className="block pb-1">
      {t('by', { date: formatMinute(commit_date), author: authorName(entry), revision })}
      <span className="text-xs block">{[...eventsText(events), sourceName(source)].join(' · ')}</span>
    </span>
  )
}

type StepProps = {
  readonly label: string
  readonly keys: string
  readonly icon: typeof ChevronUp
  readonly onStep: (() => void) | null
}

function Step({ label, keys, icon: Icon, onStep }: StepProps) {
  const { t } = useTranslation('log')
  return (
    <HoverTip text={`${label} (${t('keys')})`}>
      <Button
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-keyshortcuts={keys}
        // Not disabled, so that the focus stays on the button at the end of the log.
        aria-disabled={onStep === null}
        className="aria-disabled:opacity-40"
        onClick={() => onStep?.()}
      >
        <Icon aria-hidden />
      </Button>
    </HoverTip>
  )
}
