<?php
// Fills an installation of YOURLS by its own functions; make.sh calls it.
[, $site, $links, $clicks, $visits, $port] = $argv;
$_SERVER['HTTP_HOST'] = "127.0.0.1:$port";
$_SERVER['REMOTE_ADDR'] = '192.0.2.1';
define('YOURLS_API', true);
require "$site/includes/load-yourls.php";

function add($url, $keyword, $title) {
    $made = yourls_add_new_link($url, $keyword, $title);
    if ($made['status'] !== 'success') {
        fwrite(STDERR, "$keyword: {$made['message']}\n");
        exit(1);
    }
    return $made['url']['keyword'];
}

$keywords = ['yourlsblog', 'yourls', 'ozh'];
yourls_remove_all_filters('get_shorturl_charset'); // automatic ones are of base 36
for ($i = 1; $i <= $links; $i++) {
    $keywords[] = add("https://example.com/pages/$i?a=1&b=$i#part-$i", '', "Page $i");
}
letters();
foreach ([
    ['https://example.com/quote\'s?q="x"', 'quote', 'It\'s "quoted" \\ back'],
    ['https://example.com/umlaut/%C3%BC', 'umlaut', 'Grüße, Ελλάδα 日本 😀'],
    ['https://example.com/lines', 'lines', "two\nlines\tand a tab; -- no comment /* none */"],
    ['https://example.com/empty', 'empty', ''],
    ['mailto:anna@example.com', 'mail', 'Mail'],
    // By a plugin, as for base 62 and for other characters.
    ['https://example.com/dash', 'Ab-Cd_1', 'of Ab-Cd_1'],
    ['https://example.com/lower', 'ab-cd_1', 'of ab-cd_1'],
    ['https://example.com/slash', 'docs/start', 'of docs/start'],
] as [$url, $keyword, $title]) {
    $keywords[] = add($url, $keyword, $title);
}

$db = yourls_get_db('write-make');
// They were made in the last two years, as the session has it, and one in the summer of 2019.
mt_srand(1);
$created = [];
foreach ($keywords as $k) {
    $created[$k] = time() - mt_rand(86400, 700 * 86400);
    $db->perform('UPDATE yourls_url SET timestamp = ? WHERE keyword = ?',
        [date('Y-m-d H:i:s', $created[$k]), $k]);
}
$db->perform("UPDATE yourls_url SET timestamp = '2019-07-01 12:00:00' WHERE keyword = 'umlaut'");

// Real visits, of links that are there for good.
$agents = [
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) '
        .'AppleWebKit/605.1.15 (KHTML, like Gecko) '
        .'Version/17.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'curl/7.88.1', "it's; \\ \"odd\"",
];
$from = ['', 'https://news.example/a?b=c',
    'https://search.example/?q=it\'s"', 'https://ünï.example/'];
for ($i = 0; $i < $visits; $i++) {
    $c = curl_init("http://127.0.0.1:$port/".$keywords[$i * 7 % count($keywords)]);
    curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_USERAGENT => $agents[$i % 5],
        CURLOPT_REFERER => $from[$i % 4]]);
    curl_exec($c);
}

$db->perform("UPDATE yourls_url SET title = NULL WHERE keyword = '2'");

// The rest of the clicks, in the form of the real ones.
$countries = ['DE', 'US', 'FR', '', 'JP'];
$have = (int) $db->fetchValue('SELECT COUNT(*) FROM yourls_log');
$db->perform('START TRANSACTION');
while ($have < $clicks) {
    $rows = $binds = [];
    for ($n = min(500, $clicks - $have); $n > 0; $n--, $have++) {
        $rows[] = '(?,?,?,?,?,?)';
        // Few links have most clicks.
        $at = (int) (count($keywords) * pow(mt_rand() / mt_getrandmax(), 3));
        $k = $keywords[$at % count($keywords)];
        $age = time() - $created[$k] - 60;
        $after = 60 + (int) ($age * pow(mt_rand() / mt_getrandmax(), 6));
        array_push($binds, date('Y-m-d H:i:s', $created[$k] + $after), $k,
            $from[mt_rand(0, 3)] ?: 'direct', $agents[mt_rand(0, 4)], '192.0.2.'.mt_rand(1, 250),
            $countries[mt_rand(0, 4)]);
    }
    $db->perform('INSERT INTO yourls_log '
        .'(click_time, shorturl, referrer, user_agent, ip_address, country_code) VALUES '
        .implode(',', $rows), $binds);
}
$db->perform('COMMIT');
$db->perform('UPDATE yourls_url u
  SET clicks = (SELECT COUNT(*) FROM yourls_log l WHERE l.shorturl = u.keyword)');
// They may differ in both directions, and a link may be gone.
$db->perform("UPDATE yourls_url SET clicks = clicks + 40 WHERE keyword = 'yourls'");
$db->perform("UPDATE yourls_url SET clicks = 0 WHERE keyword = 'ozh'");
$db->perform("INSERT INTO yourls_log
  (click_time, shorturl, referrer, user_agent, ip_address, country_code)
  VALUES ('2024-01-01 00:00:00', 'gone', 'direct', '', '', '')");
