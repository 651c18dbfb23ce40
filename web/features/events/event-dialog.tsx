import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrackedEventRow } from '#contract/events'
import { DialogPanel, DialogPanelBody } from '@/components/dialog-panel'
import { Badge } from '@/components/ui/badge'
import { Dialog } from '@/components/ui/dialog'
import { formatExact, formatMinute } from '@/i18n/format'

type EventDialogProps = { readonly event: TrackedEventRow | null; readonly onClose: () => void }

/** Everything that an event says, in full. */
export function EventDialog({ event, onClose }: EventDialogProps) {
  return (
    <Dialog open={event !== null} onOpenChange={(open) => !open && onClose()}>
      {event !== null && <EventPanel event={event} />}
    </Dialog>
  )
}

function EventPanel({ event }: { readonly event: TrackedEventRow }) {
  const { t } = useTranslation('events')
  const parameters = Object.entries(event.custom_parameters)
  return (
    <DialogPanel
      title={
        <span className="flex flex-wrap items-center gap-2 wrap-anywhere">
          {event.name}
          {event.conversion && <Badge variant="secondary">{t('conversion')}</Badge>}
        </span>
      }
      className="w-[560px]"
    >
      <DialogPanelBody className="pb-6">
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-[0.8125rem]/5 max-sm:grid-cols-1">
          <Field name={t('columns.time')}>{formatMinute(event.time)}</Field>
          <Field name={t('columns.value')}>{event.value === null ? null : formatExact(event.value)}</Field>
          <Field name={t('columns.device')}>{event.device_model}</Field>
          {/* Plain text: anyone can send an address to the pixel. */}
          <Field name={t('columns.url')}>{event.url}</Field>
          <Field name={t('columns.campaign')}>
            {event.campaign_id !== null && (
              <Link to="/reports" search={{ campaignId: event.campaign_id }} className="text-primary-ink hover:underline">
                {event.campaign_name ?? event.campaign_id}
              </Link>
            )}
          </Field>
          {event.unconfirmed !== null && <Field name={t('unconfirmed')}>{t(`marks.${event.unconfirmed}`)}</Field>}
          <Field name={t('source')}>{t(`sources.${event.source}`)}</Field>
          <Field name={t('id')}>
            <span className="font-mono text-xs">{event.id}</span>
          </Field>
        </dl>
        {parameters.length > 0 && (
          <section className="flex flex-col gap-2">
            <h3 className="text-[0.8125rem]/5 font-semibold">{t('columns.parameters')}</h3>
            <dl className="border-border grid grid-cols-[minmax(0,10rem)_minmax(0,1fr)] gap-x-4 gap-y-1.5 border-t pt-2 font-mono text-xs/5 wrap-anywhere">
              {parameters.map(([name, value]) => (
                <Field key={name} name={name}>
                  {value}
                </Field>
              ))}
            </dl>
          </section>
        )}
      </DialogPanelBody>
    </DialogPanel>
  )
}

const Field = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="wrap-anywhere">{children === null || children === false || children === '' ? '–' : children}</dd>
  </>
)
