export default function FrequencyTab() {
  return null
}
