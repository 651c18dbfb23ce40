export default function BiddingTab() {
  return null
}
