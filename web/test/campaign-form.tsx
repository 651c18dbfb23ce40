import { zodResolver } from '@hookform/resolvers/zod'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { campaign as campaignSchema, type Campaign } from '#contract/campaign-body'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { FormKitContext } from '@/components/form/form-kit'
import { CampaignFormContext, FormBaseContext, useCampaignKit } from '@/features/campaigns/form/campaign-form-context'
import { createUploads } from '@/components/upload/uploads'
import type { StoredFile } from '#contract/files'
import { emptyForm, toForm } from '@/features/campaigns/form/form-mapping'
import type { TabContext } from '@/features/campaigns/form/form-tabs'
import { campaignForm, type CampaignFormValues } from '@/features/campaigns/form/form-schema'

/** For tests: a stored campaign, and the form around a tab. */
export const campaignWith = (patch: Partial<Campaign>): Campaign =>
  campaignSchema.parse({
    ...DEFAULT_CONTENT,
    cpm: 0.35,
    cpx: 0.35,
    traffic_targeting: '[]',
    id: 'campaign-1',
    space_id: 'space-1',
    status_key: 0,
    status_reasons: [],
    revision: 3,
    replicated_from: null,
    replicated_revision: null,
    need_moderation: false,
    moderation_start_at: null,
    moderation_rejected_at: null,
    moderator_comment: null,
    review: 'none',
    approved_version: null,
    unapproved_changes: [],
    intent: false,
    last_run_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
    budget_spent: 0,
    daily_budget_spent: 0,
    impressions: 0,
    clicks: 0,
    ...patch,
  })

type Shown = { readonly form: () => UseFormReturn<CampaignFormValues> }

type Around = {
  /** The default client sends only the requests that a screen requires. */
  readonly client?: QueryClient
  readonly tabs?: Partial<TabContext>
}

export function renderInForm(
  content: ReactNode,
  campaign: Campaign | null = null,
  readOnly = false,
  { client = silent(), tabs = {} }: Around = {},
): Shown {
  let held: UseFormReturn<CampaignFormValues> | undefined
  const hold = (form: UseFormReturn<CampaignFormValues>) => {
    held = form
  }
  render(
    <Frame campaign={campaign} readOnly={readOnly} hold={hold} client={client} tabs={{ ...TABS, ...tabs }}>
      {content}
    </Frame>,
  )
  return {
    form: () => {
      if (held === undefined) throw new Error('the form is not there')
      return held
    },
  }
}

type FrameProps = {
  readonly campaign: Campaign | null
  readonly readOnly: boolean
  readonly hold: (form: UseFormReturn<CampaignFormValues>) => void
  readonly client: QueryClient
  readonly tabs: TabContext
  readonly children: ReactNode
}

const silent = () => new QueryClient({ defaultOptions: { queries: { retry: false, enabled: false } } })

const TABS: TabContext = { readsOwnerFields: true, audio: false, goal: true, withLog: false }

function Frame({ campaign, readOnly, hold, client, tabs, children }: FrameProps) {
  const form = useForm<CampaignFormValues>({
    resolver: zodResolver(campaignForm),
    defaultValues: campaign === null ? emptyForm('awareness') : toForm(campaign),
    mode: 'onTouched',
  })
  hold(form)
  const kit = useCampaignKit(form, readOnly, 'USD')
  const [uploads] = useState(createUploads<StoredFile>)
  return (
    <QueryClientProvider client={client}>
      <CampaignFormContext value={form}>
        <FormKitContext value={kit}>
          <FormBaseContext
            value={{
              campaign,
              type: campaign?.bidding_strategy.type ?? 'awareness',
              readOnly,
              currency: 'USD',
              zone: campaign?.timezone_offset_seconds ?? null,
              tabs,
              uploads,
            }}
          >
            {children}
          </FormBaseContext>
        </FormKitContext>
      </CampaignFormContext>
    </QueryClientProvider>
  )
}
