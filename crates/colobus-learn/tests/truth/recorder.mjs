// Asks a server and keeps every exchange, as a HAR file. Choices are drawn from a seed.
export class Recorder {
  constructor(base, seed = 1) {
    [this.base, this.entries, this.state] = [base, [], BigInt(seed)];
  }

  // SplitMix64.
  below(bound) {
    const mask = (1n << 64n) - 1n;
    this.state = (this.state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((mixed ^ (mixed >> 31n)) % BigInt(bound));
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  async ask(method, path, body, headers = {}) {
    const url = this.base + path;
    const form = body instanceof URLSearchParams;
    const mimeType = form ? "application/x-www-form-urlencoded" : "application/json";
    const text = body === undefined ? undefined : form ? body.toString() : JSON.stringify(body);
    const sent = { ...headers, ...(text === undefined ? {} : { "Content-Type": mimeType }) };
    const answer = await fetch(url, { method, body: text, headers: sent });
    const content = await answer.text();
    const pairs = (entries) => [...entries].map(([name, value]) => ({ name, value }));
    this.entries.push({
      startedDateTime: "2026-01-01T00:00:00.000Z",
      time: 1,
      _resourceType: "fetch",
      request: {
        method, url, httpVersion: "HTTP/1.1", cookies: [], headers: pairs(Object.entries(sent)),
        queryString: pairs(new URL(url).searchParams), headersSize: -1, bodySize: text?.length ?? 0,
        ...(text === undefined ? {} : { postData: { mimeType, text } }),
      },
      response: {
        status: answer.status, statusText: answer.statusText, httpVersion: "HTTP/1.1", cookies: [],
        headers: pairs([["content-type", answer.headers.get("content-type") ?? ""]]),
        content: { size: content.length, mimeType: answer.headers.get("content-type") ?? "", text: content },
        redirectURL: "", headersSize: -1, bodySize: content.length,
      },
      cache: {},
      timings: { send: 0, wait: 1, receive: 0 },
    });
    try {
      return JSON.parse(content);
    } catch {
      return undefined;
    }
  }

  // The origin is that of every capture, whatever the port was.
  har() {
    const log = { version: "1.2", creator: { name: "colobus truth", version: "1" }, entries: this.entries };
    return JSON.stringify({ log }).replaceAll(this.base, "http://127.0.0.1:8000") + "\n";
  }
}
