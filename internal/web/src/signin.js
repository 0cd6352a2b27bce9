// Signing in: with the OpenID provider, if there is one, or with a token.
import { useEffect, useRef, useState } from "preact/hooks";
import { ended, leaving, session, signIn, signInPath } from "./api.js";
import { provider, urlOf } from "./format.js";
import { html } from "./html.js";
import { keep } from "./newlink.js";
import { place } from "./router.js";
import { useStore } from "./store.js";
import { Dialog } from "./ui.js";

// go leaves the page, to which the provider leads back.
function go() {
  if (session.get() === "out") keep();
  leaving();
}

export function SignIn() {
  const { query } = useStore(place);
  const reason = useStore(ended);
  const [byToken, setByToken] = useState(!provider.name || query.has("token"));
  return html`<${Dialog} label="Sign in" class="sign-in">
    <p class="brand">terse</p><h2>Sign in</h2>
    ${reason && html`<p class="problem" role="alert">${reason}</p>`}
    ${
      provider.name &&
      html`<a class=${byToken ? "button" : "button primary"} href=${urlOf(signInPath())}
        data-native data-focus=${!byToken} onClick=${go}>Sign in with ${provider.name}</a>`
    }
    ${
      byToken
        ? html`<${ByToken} />`
        : html`<button type="button" class="text-button" onClick=${() => setByToken(true)}>
          Use a token instead</button>`
    }<//>`;
}

function ByToken() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const input = useRef();
  useEffect(() => input.current.focus(), []);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem("");
    try {
      await signIn(token.trim());
    } catch (error) {
      setProblem(
        error.status === 401 || error.status === 400 ? refusal(error.message) : error.message,
      );
      input.current?.select();
    } finally {
      setBusy(false);
    }
  };
  return html`<form onSubmit=${submit}>
    <input class="unseen" type="text" name="username" autocomplete="username" value="terse" readonly
      tabindex="-1" aria-hidden="true" />
    <label for="token">Access token</label>
    <input id="token" ref=${input} class="field mono" type="password"
      autocomplete="current-password" required value=${token}
      onInput=${(e) => {
        setToken(e.target.value);
        setProblem("");
      }}
      aria-invalid=${Boolean(problem)}
      aria-describedby=${problem ? "token-problem" : "token-hint"} />
    ${
      problem
        ? html`<p id="token-problem" class="problem" role="alert">${problem}</p>`
        : html`<p id="token-hint" class="hint">${
            provider.name
              ? "A token that was made in the settings of this page, or one of the server's."
              : html`The token printed when the server first started, or one from AUTH_TOKEN or
        AUTH_TOKENS. Lost it? Run <code class="mono">terse token</code>, or open the file${" "}
        <code class="mono">token</code> in the data folder.`
          }</p>`
    }
    <button class=${provider.name ? "button" : "button primary"} aria-busy=${busy}>Sign in</button>
  </form>`;
}

const refusal = (message) =>
  /token expired/.test(message)
    ? "That token has expired."
    : /account disabled/.test(message)
      ? "The account of that token is disabled."
      : "That token isn't valid.";
