import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from '#contract/zod'
import { getInvoice, invoiceCsv, invoiceLine, invoicePdf, invoiceUbl, invoiceXlsx, listInvoices } from '#contract/invoices'
import type { Language } from '#domain/kit/languages'
import { accountQueries } from '@/data/account-queries'
import { call, download } from '@/data/client'

export type InvoicesAsked = z.input<typeof listInvoices.input>

export const invoiceQueries = {
  all: () => ['invoices'] as const,
  page: (asked: InvoicesAsked) =>
    queryOptions({
      queryKey: ['invoices', 'page', asked],
      queryFn: ({ signal }) => call(listInvoices, { body: asked, signal }),
      placeholderData: keepPreviousData,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['invoices', 'one', id],
      queryFn: ({ signal }) => call(getInvoice, { params: { id }, signal }),
    }),
  line: (id: string, campaignId: string, late: boolean) =>
    queryOptions({
      queryKey: ['invoices', 'one', id, 'line', campaignId, late],
      queryFn: ({ signal }) =>
        call(invoiceLine, { params: { id, campaign_id: campaignId }, query: { late: late ? 'true' : 'false' }, signal }),
    }),
  pdf: (id: string, language: Language) =>
    queryOptions({
      queryKey: ['invoices', 'one', id, 'pdf', language],
      queryFn: ({ signal }) => download(invoicePdf, { params: { id }, query: { language }, signal }),
      // A document shows its payments: the old one is of no use.
      gcTime: 0,
    }),
}

/** Keys of queries that a step of an invoice makes out of date. */
export const changedByInvoices = () => [invoiceQueries.all(), accountQueries.all(), ['billing']]

export const saveLines = (id: string) => download(invoiceCsv, { params: { id } })
export const saveWorkbook = (id: string, language: Language) => download(invoiceXlsx, { params: { id }, query: { language } })
export const saveUbl = (id: string) => download(invoiceUbl, { params: { id } })
