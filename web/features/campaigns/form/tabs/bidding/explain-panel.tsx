import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { LabelledField, FieldTextarea } from '@/components/form/labelled-field'
import { biddingMutations, readBidRequest } from '@/data/administration-queries'
import { errorText } from '@/i18n/error-text'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { biddingSlice } from './bidding-slice.ts'
import { toEntries } from './draft.ts'
import { ExplainResult } from './explain-result.tsx'
import { SAMPLE_REQUEST } from './sample-request.ts'
import { useEntries } from './use-entries.ts'

/** Evaluates a bid request on the server with the entries as they stand in the form. Nothing is saved. */
export function ExplainPanel() {
  const { t } = useTranslation('bidding')
  const { campaign } = useFormBase()
  const { entries } = useEntries()
  const [request, setRequest] = useState(SAMPLE_REQUEST)
  const [unreadable, setUnreadable] = useState<string>()
  const explaining = useMutation(biddingMutations.explain())
  const text = JSON.stringify(toEntries(entries))
  const unsaved = Object.keys(biddingSlice.toInput({ entries: [...entries] }, campaign)).length > 0

  const run = () => {
    if (campaign === null) return
    const read = readBidRequest(request)
    if ('body' in read) {
      setUnreadable(undefined)
      explaining.mutate({ id: campaign.id, body: read.body, entries: text })
    } else {
      // The last answer belongs to another request.
      explaining.reset()
      setUnreadable('at' in read ? t('explain.notRequest', { at: read.at }) : t('explain.notJson', { reason: read.notJson }))
    }
  }
  // An answer for entries that have changed since is outdated.
  const current = explaining.data !== undefined && explaining.variables.entries === text
  const failed = explaining.error === null ? undefined : errorText(explaining.error)
  return (
    <section className="border-border bg-card rounded-lg border">
      <header className="border-border border-b px-6 py-4">
        <h2 className="text-[15px] leading-5 font-semibold">{t('explain.title')}</h2>
        <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-0.5">{t('explain.lead')}</p>
      </header>
      <div className="flex flex-col gap-4 px-6 py-5">
        {(unsaved || campaign === null) && (
          <p aria-live="polite" className="bg-muted text-[0.8125rem]/4.5 rounded-md px-3 py-2">
            {t(campaign === null ? 'explain.new' : 'explain.unsaved')}
          </p>
        )}
        <LabelledField label={t('explain.request')} error={unreadable ?? failed}>
          <FieldTextarea
            spellCheck={false}
            autoComplete="off"
            className="text-xs h-56 font-mono"
            value={request}
            onChange={(event) => setRequest(event.target.value)}
          />
        </LabelledField>
        <div className="flex gap-2">
          <Button variant="outline" size="sm" disabled={campaign === null || explaining.isPending} onClick={run}>
            {t(explaining.isPending ? 'explain.running' : 'explain.run')}
          </Button>
          {request !== SAMPLE_REQUEST && (
            <Button variant="ghost" size="sm" onClick={() => setRequest(SAMPLE_REQUEST)}>
              {t('explain.example')}
            </Button>
          )}
        </div>
        <div aria-live="polite">{current && <ExplainResult answer={explaining.data} />}</div>
      </div>
    </section>
  )
}
