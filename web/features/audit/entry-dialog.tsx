import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeedEntry } from '#contract/audit-feed'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ChangedValue } from '@/features/campaigns/change-log/change-list'
import { sourceName } from '@/features/campaigns/change-log/log-labels'
import { useNames } from '@/features/campaigns/change-log/use-names'
import { formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { entryAuthor, entryChanges, eventName, kindName } from './entry-texts.ts'

type EntryDialogProps = {
  readonly entry: FeedEntry | null
  readonly onSubject: (entry: FeedEntry) => void
  readonly onClose: () => void
}

/** Everything that an entry of no campaign says, and where it is in the log. */
export function EntryDialog({ entry, onSubject, onClose }: EntryDialogProps) {
  return (
    <Dialog open={entry !== null} onOpenChange={(open) => !open && onClose()}>
      {entry !== null && <EntryPanel entry={entry} onSubject={onSubject} />}
    </Dialog>
  )
}

function EntryPanel({ entry, onSubject }: { readonly entry: FeedEntry; readonly onSubject: (entry: FeedEntry) => void }) {
  const { t } = useTranslation(['audit', 'log'])
  const names = useNames([])
  const changes = entryChanges(entry, names)
  return (
    <DialogPanel
      title={eventName(entry.type)}
      description={`${kindName(entry.kind)} · ${entry.subject_name ?? entry.subject_id}`}
      className="w-[640px]"
    >
      <DialogPanelBody tabIndex={0} className="pb-6">
        <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-[0.8125rem]/5 max-sm:grid-cols-1">
          <Field name={t('audit:columns.when')}>
            <time dateTime={entry.at}>{formatMinute(entry.at)}</time>
          </Field>
          <Field name={t('audit:columns.who')}>
            {[entryAuthor(entry), entry.actor_id === null ? null : (lookUp(`common:role.${entry.role}`) ?? entry.role)]
              .filter((part) => part !== null)
              .join(' · ')}
          </Field>
          <Field name={t('audit:columns.source')}>{sourceName(entry.source)}</Field>
          {entry.space_name !== null && <Field name={t('audit:entry.account')}>{entry.space_name}</Field>}
          <Field name={t('audit:entry.position')}>
            <span className="tabular-nums">
              {entry.position} ({t('audit:entry.version', { version: entry.version, revision: entry.revision })})
            </span>
          </Field>
          <Field name={t('audit:entry.hash')}>
            <span className="font-mono text-xs">{entry.hash}</span>
          </Field>
        </dl>
        <section aria-label={t('audit:entry.changes')} className="flex flex-col gap-2">
          <h3 className="text-[0.8125rem]/5 font-semibold">{t('audit:entry.changes')}</h3>
          {changes.length === 0 ? (
            <p className="text-muted-foreground text-[0.8125rem]/5">{t('audit:entry.noChanges')}</p>
          ) : (
            <dl className="border-border grid grid-cols-[10rem_minmax(0,1fr)] gap-x-4 gap-y-2 border-t pt-2 text-[0.8125rem]/5 max-sm:grid-cols-1">
              {changes.map(({ path, label, said }) => (
                <Field key={path} name={label}>
                  <ChangedValue said={said} />
                </Field>
              ))}
            </dl>
          )}
        </section>
      </DialogPanelBody>
      <DialogPanelFooter>
        <Button variant="outline" onClick={() => onSubject(entry)}>
          <ListFilter aria-hidden />
          {t('audit:entry.filter')}
        </Button>
      </DialogPanelFooter>
    </DialogPanel>
  )
}

const Field = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
)
